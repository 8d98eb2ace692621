// Chooses a call: by the list, by an address (#call, #call/round), by a finding; shows it turn by turn and as a graph.
(() => {
  const list = find("calls");
  if (!list) return;
  const links = Array.from(list.querySelectorAll("a"));
  const byKey = new Map(links.map((link) => [link.dataset.key, link]));
  const systems = readData("systems");
  const found = Array.from(document.querySelectorAll("[data-call]"), ({ dataset }) => ({
    key: dataset.call, round: dataset.round ? Number(dataset.round) : null, kind: dataset.kind, text: dataset.what,
  }));
  const readers = readData("readers");
  const tabs = [find("tab-turns"), find("tab-graph")];
  const [svg, about] = [find("picture"), find("about-node")];
  let chosen = null, call = null, graph = null, at = null;

  function choose(key, round) {
    const link = byKey.get(key);
    if (!link) return;
    at = round;
    if (link !== chosen) show(link);
    if (round !== null) openRound(round);
  }

  function show(link) {
    chosen?.removeAttribute("aria-current");
    chosen = link;
    link.setAttribute("aria-current", "true");
    bringIntoList(link);
    call = readData(link.dataset.data);
    unpackPrompts(call, systems);
    const here = found.filter((finding) => finding.key === link.dataset.key);
    find("chosen").textContent = legible(`${call.key}: ${link.dataset.told}`);
    const whole = byKind(here, null).map((group) => make("div", { class: "found" }, ...foundText(group)));
    const turns = call.missing ? make("p", null, `This call is not shown: ${call.missing}.`) : turnTable(call, here);
    find("turns").replaceChildren(...whole, turns);
    graph?.end();
    graph = null;
    find("no-graph").hidden = Boolean(call.picture);
    find("graph").hidden = !call.picture;
    if (!find("panel-graph").hidden) drawGraph();
  }

  function drawGraph() {
    if (graph || !call.picture) return;
    graph = new Graph({ svg, about, readers }, call.picture);
    graph.light(null);
    const number = found.filter((finding) => finding.key === call.key).length;
    find("unmarked").hidden = !number || graph.marks;
    find("unmarked").textContent = `${counted(number, "finding")} in this call, none about a single node of the graph: see them turn by turn.`;
    if (at !== null) graph.goToRound(at);
    find("go").replaceChildren(...call.picture.blocks.map((block, place) => make("option", { value: place }, block.name)));
    const table = find("flow-table");
    const fill = () => table.replaceChildren(callTable(call.picture));
    table.replaceChildren();
    table.parentElement.ontoggle = fill;
    if (table.parentElement.open) fill();
  }

  function openRound(round) {
    openTab(0);
    const row = find(`round-${round}`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
  }

  function openTab(number) {
    tabs.forEach((tab, place) => {
      tab.setAttribute("aria-selected", place === number);
      tab.tabIndex = place === number ? 0 : -1;
      find(tab.getAttribute("aria-controls")).hidden = place !== number;
    });
    if (number === 1) drawGraph();
  }

  // Scrolls the list alone: `scrollIntoView` would move the page too.
  function bringIntoList(link) {
    const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  }

  function filter() {
    const wanted = find("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const only = find("only-found").checked;
    let shown = 0;
    for (const link of links) {
      const text = link.textContent.toLowerCase();
      const fits = wanted.every((word) => text.includes(word)) && (!only || Boolean(link.dataset.found));
      link.parentElement.hidden = !fits;
      shown += fits;
    }
    find("shown").textContent = shown === links.length ? counted(shown, "call") : `${shown} of ${counted(links.length, "call")}`;
  }

  // The address of a call, or of a round in it; null for any other.
  function wanted() {
    try {
      const [key, round = ""] = location.hash.slice(1).split("/").map(decodeURIComponent);
      return byKey.has(key) ? [key, /^\d{1,6}$/.test(round) ? Number(round) : null] : null;
    } catch {
      return null;
    }
  }

  function follow() {
    const place = wanted();
    if (!place) return;
    choose(...place);
    if (place[1] === null) find("explorer").scrollIntoView();
  }

  function goOn(step) {
    const shown = links.filter((link) => !link.parentElement.hidden);
    const next = shown[shown.indexOf(chosen) + step] || (step > 0 ? shown[0] : shown.at(-1));
    if (next) go(next, true);
  }

  // Walking through the list leaves one step in the history, not one a call.
  function go(link, walking = false) {
    history[walking ? "replaceState" : "pushState"](null, "", link.hash);
    choose(link.dataset.key, null);
  }

  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = links.filter((link) => !link.parentElement.hidden);
    const next = shown[shown.indexOf(document.activeElement) + step];
    if (!next) return;
    next.focus();
    go(next, true);
  });
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => openTab(place));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      openTab(1 - place);
      tabs[1 - place].focus();
    });
  });
  const does = { closer: () => graph.zoom(1.25), farther: () => graph.zoom(0.8), fit: () => graph.whole() };
  for (const [id, act] of Object.entries(does)) find(id).addEventListener("click", () => graph && act());
  find("go").addEventListener("change", (event) => graph?.goTo(Number(event.target.value)));
  find("earlier").addEventListener("click", () => goOn(-1));
  find("later").addEventListener("click", () => goOn(1));
  find("words").addEventListener("input", filter);
  find("only-found").addEventListener("change", filter);
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  find("explorer").classList.add("alive");
  filter();
  if (wanted()) follow();
  else if (links.length) choose((links.find((link) => link.dataset.found) || links[0]).dataset.key, null);
})();
