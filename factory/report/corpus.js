(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  const list = find("rows");
  let frame = find("call");
  const rows = Array.from(list.children);
  const links = new Map(rows.map((row) => [row.id, row.firstElementChild]));
  const filters = ["domain", "type", "outcome", "course"].map(find);
  // As in the style: where there is room, a call is shown beside the list; elsewhere its page is opened.
  const beside = matchMedia("screen and (min-width: 64rem) and (min-height: 34rem)");
  let chosen;

  // A new frame for each call: one that navigates would leave steps of its own in the history, and "back"
  // would go through both.
  function show(id) {
    const link = beside.matches ? links.get(id) : undefined;
    if (link === chosen) return;
    chosen?.removeAttribute("aria-current");
    chosen = link;
    find("top").hidden = find("parts").hidden = Boolean(link);
    frame.parentElement.hidden = !link;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const fresh = frame.cloneNode();
    fresh.src = link.href;
    frame.replaceWith(fresh);
    frame = fresh;
    bringIntoList(link.parentElement);
  }

  // Scrolls the list alone: `scrollIntoView` would move the page too.
  function bringIntoList(row) {
    const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  }

  function wanted() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  }

  const fits = {
    domain: (row, value) => row.dataset.domain === value,
    type: (row, value) => row.dataset.types.split(" ").includes(value),
    outcome: (row, value) => row.dataset.outcome === value,
    course: (row, value) => row.dataset.course.split(" ").includes(value),
  };

  function filter() {
    const words = find("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosenFilters = filters.filter((control) => control.value);
    let shown = 0;
    for (const row of rows) {
      const text = words.length ? row.textContent.toLowerCase() : "";
      const hidden =
        !words.every((word) => text.includes(word)) ||
        !chosenFilters.every((control) => fits[control.id](row, control.value));
      if (row.hidden !== hidden) row.hidden = hidden;
      if (!hidden) shown += 1;
    }
    find("shown").textContent =
      shown === rows.length ? `${shown} calls` : shown ? `${shown} of ${rows.length} calls` : "No call fits.";
  }

  function neighbour(row, step) {
    do row = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    while (row && row.hidden);
    return row;
  }

  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || !beside.matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", "#" + encodeURIComponent(link.parentElement.id));
    show(link.parentElement.id);
  });

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("li");
    if (!step || !row) return;
    event.preventDefault();
    neighbour(row, step)?.firstElementChild.focus();
  });

  // What the address names: a call, or a part of the overview, which is unfolded.
  function go() {
    const id = wanted();
    show(id);
    if (chosen || links.has(id)) return;
    const part = find(id);
    part?.querySelector(":scope > details")?.setAttribute("open", "");
    part?.scrollIntoView();
  }

  addEventListener("hashchange", go);
  addEventListener("popstate", go);
  beside.addEventListener("change", () => show(wanted()));
  find("words").addEventListener("input", filter);
  for (const control of filters) control.addEventListener("change", filter);
  find("filters").hidden = false;
  filter();
  go();
})();
