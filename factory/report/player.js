(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  const [sound, desk, lanes, overview] = ["sound", "desk", "lanes", "overview"].map(find);
  const scale = Number(lanes.dataset.scale);
  const length_s = lanes.querySelector("svg").width.baseVal.value / scale;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const words = Array.from(document.querySelectorAll(".talk [data-start]"));
  const jumps = Array.from(document.querySelectorAll(".jumps a"));
  const jumps_s = jumps.map((link) => Number(link.dataset.at));
  const sides = ["agent", "caller"].map((side) => {
    const own = words.filter((word) => word.closest(`.${side}`));
    const seconds = (name) => Float64Array.from(own, (word) => Number(word.dataset[name]));
    return { words: own, starts: seconds("start"), ends: seconds("end"), lit: null };
  });
  // A seek may come out a little before where it was to go.
  const NEARLY_S = 0.02;
  const sizes = { lanes: 0, overview: 0, left: 0 };
  const away = { page: false, lanes: false };
  let ownUntil_ms = 0;
  let wanted_s = null;
  let reached = -1;
  let reachable = null;

  // Place of the last of some ascending numbers that is not above a limit; -1 where all are.
  function lastWithin(numbers, limit) {
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function light(side, now) {
    const index = lastWithin(side.starts, now);
    const word = index >= 0 && now < side.ends[index] ? side.words[index] : null;
    if (word === side.lit) return false;
    side.lit?.classList.remove("lit");
    word?.classList.add("lit");
    side.lit = word;
    return word !== null;
  }

  function show() {
    const now = sound.currentTime;
    const x = now * scale;
    find("head").style.transform = `translateX(${x}px)`;
    find("overview-head").style.transform = `translateX(${(now / length_s) * sizes.overview}px)`;
    const index = lastWithin(jumps_s, now + NEARLY_S);
    if (index !== reached) {
      jumps[reached]?.removeAttribute("aria-current");
      jumps[index]?.setAttribute("aria-current", "true");
      if (index >= 0) bringIntoRow(jumps[index]);
      reached = index;
    }
    const fresh = sides.filter((side) => light(side, now));
    if (!sound.paused && fresh.length) follow(sides.findLast((side) => side.lit).lit);
    const within = x - sizes.left;
    if (!away.lanes && (within < 0 || within > sizes.lanes * 0.9)) {
      lanes.scrollLeft = x - sizes.lanes * 0.25;
      sizes.left = lanes.scrollLeft;
    }
  }

  function bringIntoRow(link) {
    const row = link.closest("ol");
    const [inner, outer] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) row.scrollLeft += inner.left - outer.left - 40;
  }

  function tick() {
    show();
    if (!sound.paused) requestAnimationFrame(tick);
  }

  // Scrolls the page so that a word is seen beneath the player; not while somebody reads elsewhere, until the words
  // come to where they are. `scrollIntoView` would move the page around this one too.
  function follow(word) {
    const box = word.getBoundingClientRect();
    const top = Math.max(desk.getBoundingClientRect().bottom, 0);
    const seen = box.top > top && box.bottom < innerHeight - 24;
    if (seen) away.page = false;
    else if (!away.page) scrollToward(box.top - top - (innerHeight - top) * 0.2);
  }

  function scrollToward(by) {
    ownUntil_ms = performance.now() + (calm.matches ? 200 : 1200);
    scrollBy({ top: by, behavior: calm.matches ? "instant" : "smooth" });
  }

  function seek(to_s) {
    away.page = away.lanes = false;
    // Chromium may never come to the end of a seek into the last half second of a FLAC file.
    wanted_s = Math.min(Math.max(to_s, 0), Math.max(0, length_s - 0.6));
    if (!sound.seeking) goOn();
  }

  // One seek at a time: Chromium never comes to the end of three that are to 5, 10, and 5 s again.
  function goOn() {
    if (wanted_s === null) return;
    sound.currentTime = wanted_s;
    wanted_s = null;
  }

  const place_s = () => wanted_s ?? sound.currentTime;

  function playFrom(link) {
    seek(Number(link.dataset.at));
    // What cannot be played says so itself, below.
    sound.play().catch(() => {});
    if (jumps.includes(link)) find("place").textContent = link.title;
  }

  function step(by) {
    const here = lastWithin(jumps_s, place_s() + NEARLY_S);
    // Back is first the beginning of this one, as with music.
    const stay = by < 0 && here >= 0 && place_s() - jumps_s[here] > 1.5;
    const link = jumps[stay ? here : here + by];
    if (link) playFrom(link);
  }

  // Of the words only one is a stop for the tab key; arrows lead from there to the others.
  function reach(word) {
    reachable?.setAttribute("tabindex", "-1");
    reachable?.removeAttribute("role");
    reachable = word;
    word?.setAttribute("tabindex", "0");
    word?.setAttribute("role", "button");
  }

  const seekToWord = (word) => seek(Number(word.dataset.start) + NEARLY_S / 2);
  const wordAt = (target) => target.closest?.(".talk [data-start]");

  function onWord(word, key) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (key === "Enter") seekToWord(word);
    else if (by) {
      const next = words[words.indexOf(word) + by] ?? word;
      reach(next);
      next.focus();
    }
    return key === "Enter" || by !== undefined;
  }

  const actions = {
    " ": () => (sound.paused ? sound.play().catch(() => {}) : sound.pause()),
    ArrowLeft: () => seek(place_s() - 5),
    ArrowRight: () => seek(place_s() + 5),
    n: () => step(1),
    p: () => step(-1),
  };

  // What has a use of its own for a key.
  const uses = { " ": "button, summary, audio, input", ArrowLeft: "audio", ArrowRight: "audio" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const word = wordAt(event.target);
    if (word && onWord(word, event.key)) return event.preventDefault();
    const action = find("keyed").checked && Object.hasOwn(actions, event.key) && actions[event.key];
    if (!action || event.target.closest(uses[event.key] ?? ":not(*)")) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-at]");
    const word = wordAt(event.target);
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      playFrom(link);
    } else if (word && getSelection().isCollapsed) {
      reach(word);
      seekToWord(word);
    }
  });
  find("before")?.addEventListener("click", () => step(-1));
  find("after")?.addEventListener("click", () => step(1));

  // A place in a picture is a time of the call.
  for (const picture of [lanes.firstElementChild, overview])
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      seek(((event.clientX - box.left) / box.width) * length_s);
    });

  // A hand on the page ends a scroll of our own: what comes then is theirs.
  const byHand = () => ((away.page = true), (ownUntil_ms = 0));
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, byHand, { passive: true });
  addEventListener("scroll", () => (away.page ||= performance.now() > ownUntil_ms), { passive: true });
  for (const kind of ["wheel", "touchmove", "pointerdown"])
    lanes.addEventListener(kind, () => (away.lanes = true), { passive: true });
  lanes.addEventListener("scroll", () => (sizes.left = lanes.scrollLeft), { passive: true });
  new ResizeObserver(() => {
    [sizes.lanes, sizes.overview] = [lanes.clientWidth, overview.clientWidth];
    show();
  }).observe(desk);

  sound.addEventListener("play", () => {
    away.page = away.lanes = false;
    tick();
  });
  sound.addEventListener("seeked", goOn);
  for (const kind of ["seeked", "pause"])
    sound.addEventListener(kind, () => {
      show();
      const latest = sides.map((side) => side.words[lastWithin(side.starts, sound.currentTime)]).filter(Boolean);
      if (!wordAt(document.activeElement)) reach(latest.at(-1) ?? reachable);
    });
  document.addEventListener(
    "play",
    (event) => {
      for (const other of document.querySelectorAll("audio")) if (other !== event.target) other.pause();
    },
    true,
  );
  const unplayable = () => (find("unplayable").hidden = false);
  sound.addEventListener("error", unplayable);
  if (sound.error) unplayable();

  for (const word of words) word.tabIndex = -1;
  reach(words[0]);
  for (const id of ["steppers", "keys", "head", "overview-head"]) if (find(id)) find(id).hidden = false;
})();
