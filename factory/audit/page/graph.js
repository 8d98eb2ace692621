// The flow graph of one call: lanes by role, rounds from left to right. `places.py` says where each node stands.

const COLUMN = 130, ROW = 40, WIDE = 118, HIGH = 32, HEAD = 26;
const NEAREST = 2.5, FARTHEST = 0.08, STEP = 80;

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(find("picture").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const label = (text, attributes) => drawn("text", attributes, legible(text));

// Names by their places in the picture's list; where things stand in pixels.
function readPicture(picture) {
  const nodes = picture.nodes.map(([kind, name, id, block, column, row, digest, flags, origin], place) => ({
    place, kind, id, digest, block, row,
    name: words(picture.names[name]), label: picture.names[name],
    stands: !(flags & 1), bad: Boolean(flags & 2), differs: Boolean(flags & 4), origin: picture.origins[origin],
    x: (picture.blocks[block].start + column) * COLUMN, y: row * ROW,
    from: [], to: [],
  }));
  const edges = picture.edges.map(([from, to, bad = 0]) => ({ from: nodes[from], to: nodes[to], bad: Boolean(bad) }));
  for (const edge of edges) {
    edge.from.to.push(edge);
    edge.to.from.push(edge);
  }
  return { ...picture, nodes, edges };
}

// A node, all that it came from, and the edges between them.
function waysBack(node) {
  const seen = new Set([node]), edges = new Set();
  for (const at of seen) {
    for (const edge of at.from) {
      edges.add(edge);
      seen.add(edge.from);
    }
  }
  return { nodes: seen, edges };
}

class Graph {
  constructor(parts, picture) {
    Object.assign(this, parts);
    this.picture = readPicture(picture);
    this.lane = this.svg.clientWidth < 600 ? 92 : 130;
    this.chosen = null;
    this.marks = this.picture.nodes.some((node) => node.bad || node.differs);
    this.svg.replaceChildren();
    this.draw();
    this.listen();
    this.fit();
  }

  draw() {
    const { blocks, lanes, nodes, edges } = this.picture;
    const rows = lanes.at(-1).start + lanes.at(-1).rows;
    const columns = blocks.at(-1).start + blocks.at(-1).columns;
    [this.width, this.height] = [columns * COLUMN, rows * ROW];
    this.shades = drawn("g", {});
    this.laneShades = lanes.map((lane) => drawn("rect", { class: `lane ${lane.side}`, x: 0, width: "100%" }));
    this.shades.append(...this.laneShades);
    this.scene = drawn("g", {});
    const lines = blocks.map((block) => drawn("line", { class: "border", x1: block.start * COLUMN, x2: block.start * COLUMN, y1: 0, y2: this.height }));
    for (const edge of edges) edge.drawn = drawn("path", { class: edge.bad ? "edge bad" : isFar(edge) ? "edge far" : "edge", d: wayOf(edge) });
    for (const node of nodes) node.drawn = this.box(node);
    // What is wrong lies on top.
    edges.sort((one, other) => one.bad - other.bad);
    this.scene.append(...lines, ...edges.map((edge) => edge.drawn), ...nodes.map((node) => node.drawn));
    this.headShade = drawn("rect", { class: "head", x: 0, y: 0, width: "100%", height: HEAD });
    this.heads = blocks.map((block) => label(block.name, { class: "block", y: 18 }));
    this.laneNames = lanes.map((lane) => label(words(lane.name), { class: `name ${lane.side}`, x: 8 }));
    this.svg.append(this.shades, this.scene, drawn("rect", { class: "names", x: 0, y: 0, width: this.lane, height: "100%" }), ...this.laneNames, this.headShade, ...this.heads);
  }

  box(node) {
    const kind = `node ${node.kind} ${node.name.replaceAll(" ", "-")}${node.stands ? "" : " rewound"}${node.bad || node.differs ? " bad" : ""}`;
    return drawn(
      "g", { class: kind, tabindex: -1, role: "img", "aria-label": legible(this.told(node)), transform: `translate(${node.x} ${node.y})`, "data-place": node.place },
      drawn("rect", { x: 6, y: 6, width: WIDE, height: HIGH, rx: { call: 8, rule: 16 }[node.kind] ?? 2 }),
      ...linesOf(node).map((text, place) => label(text, { class: place ? "id" : "first", x: 6 + WIDE / 2, y: 19 + 12 * place })),
    );
  }

  told(node) {
    const what = { call: "role call of the", item: "data,", source: "source,", part: "part of what was meant,", rule: "rule," }[node.kind];
    return `${what} ${node.name}, ${node.id}${node.stands ? "" : ", of an attempt that does not stand"}${node.bad ? ", not allowed" : ""}${node.differs ? ", differs" : ""}`;
  }

  // What stands in the picture, moved and scaled; the names of lanes and rounds stay in sight.
  place() {
    const { blocks, lanes } = this.picture;
    const { scale, left, top } = this;
    this.scene.setAttribute("transform", `translate(${this.lane - left * scale} ${HEAD - top * scale}) scale(${scale})`);
    let free = 0;
    blocks.forEach((block, place) => {
      const head = this.heads[place], room = 8 * head.textContent.length + 16;
      const begin = this.lane + (block.start * COLUMN - left) * scale, end = begin + block.columns * COLUMN * scale;
      const x = Math.max(begin, this.lane);
      const away = end < this.lane + room / 2 || x < free;
      if (!away) free = x + room;
      head.setAttribute("x", x + 8);
      head.classList.toggle("away", away);
    });
    lanes.forEach((lane, place) => {
      const y = HEAD + (lane.start * ROW - top) * scale, height = lane.rows * ROW * scale;
      this.laneShades[place].setAttribute("y", y);
      this.laneShades[place].setAttribute("height", height);
      this.laneNames[place].setAttribute("y", y + Math.min(height / 2 + 4, 24));
    });
  }

  move(right, down) {
    const [wide, high] = [this.svg.clientWidth - this.lane, this.svg.clientHeight - HEAD];
    this.left = between(-40, this.left + right / this.scale, Math.max(-40, this.width - wide / this.scale + 40));
    this.top = between(-10, this.top + down / this.scale, Math.max(-10, this.height - high / this.scale + 10));
    this.place();
  }

  // A point of the window keeps its place in the picture.
  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const before = this.scale;
    this.scale = between(FARTHEST, before * factor, NEAREST);
    this.left += (x - this.lane) * (1 / before - 1 / this.scale);
    this.top += (y - HEAD) * (1 / before - 1 / this.scale);
    this.move(0, 0);
  }

  // All lanes in sight, from the first round on.
  fit() {
    this.scale = between(FARTHEST, (this.svg.clientHeight - HEAD) / (this.height + 20), 1);
    [this.left, this.top] = [0, 0];
    this.move(0, 0);
  }

  // The same with no node chosen.
  whole() {
    this.light((this.chosen = null));
    this.fit();
  }

  goTo(block) {
    this.left = this.picture.blocks[block].start * COLUMN - 20;
    this.move(0, 0);
  }

  // The attempt at a round that stands is the last one of it.
  goToRound(round) {
    const block = this.picture.blocks.findLastIndex(({ name }) => new RegExp(`^Round ${round}(,|$)`).test(name));
    if (block >= 0) this.goTo(block);
  }

  light(node) {
    this.svg.classList.toggle("choosing", node !== null);
    const { nodes, edges } = node ? waysBack(node) : { nodes: new Set(), edges: new Set() };
    for (const one of this.picture.nodes) one.drawn.classList.toggle("lit", nodes.has(one));
    for (const one of this.picture.edges) one.drawn.classList.toggle("lit", edges.has(one));
    this.tell(node);
  }

  tell(node) {
    if (!node) {
      this.about.replaceChildren(make("p", { class: "soft" }, "Point at a node, or go through them with n and p: here stands what it is, who read it, and where it came from."));
      return;
    }
    const names = (edges, end) => [...new Set(edges.map((edge) => `${edge[end].name} (${edge[end].id})`))].join(", ") || "nothing";
    const [free, lowered] = node.origin;
    this.about.replaceChildren(
      listOf([
        [{ call: "Role call", item: "Data", source: "Source", part: "Part", rule: "Rule" }[node.kind], `${node.name}${node.stands ? "" : " (of an attempt that does not stand)"}`],
        ["Id", node.id],
        ["Digest", node.digest || "none"],
        ...(node.bad ? [["Not allowed", alarm("it lies on a path that is not allowed, or a role read or wrote here what it may not")]] : []),
        ...(node.differs ? [["Differs", alarm(node.kind === "item" ? "its content is not what is published" : "its input is not the one that follows from what is published")]] : []),
        [node.kind === "call" ? "Read" : "Came from", names(node.from, "from")],
        [node.kind === "call" ? "Wrote" : "Read by", names(node.to, "to")],
        ...(node.kind === "item" ? [["May be read by", (this.readers[node.label] || []).map(words).join(", ") || "nobody"]] : []),
        ["Goes back to", free.join(", ") || "nothing that is free to go there"],
        ...(lowered.length ? [["Reaches it only through", lowered.map(([rules, sources]) => `${rules.join(", ")} (${sources.join(", ")})`).join("; ")]] : []),
      ]),
    );
  }

  // Keeps a node in sight that was reached by keys.
  show(node) {
    const [wide, high] = [(this.svg.clientWidth - this.lane) / this.scale, (this.svg.clientHeight - HEAD) / this.scale];
    if (node.x < this.left || node.x + COLUMN > this.left + wide) this.left = node.x - wide / 2;
    if (node.y < this.top || node.y + ROW > this.top + high) this.top = node.y - high / 2;
    this.move(0, 0);
    node.drawn.focus({ preventScroll: true });
  }

  step(by) {
    const { nodes } = this.picture;
    const last = nodes.length - 1;
    const next = this.chosen === null ? (by > 0 ? 0 : last) : between(0, this.chosen.place + by, last);
    this.show(nodes[next]);
  }

  listen() {
    this.ended = new AbortController();
    const on = (name, act) => this.svg.addEventListener(name, act, { signal: this.ended.signal, passive: false });
    const nodeOf = (event) => this.picture.nodes[event.target.closest("[data-place]")?.dataset.place] || null;
    const choose = (node) => this.light((this.chosen = node));
    on("pointerover", (event) => this.dragged || this.light(nodeOf(event) || this.chosen));
    on("pointerleave", () => this.light(this.chosen));
    on("focusin", (event) => choose(nodeOf(event)));
    on("wheel", (event) => {
      if (!event.ctrlKey && !this.svg.contains(document.activeElement)) return;
      event.preventDefault();
      const { left, top } = this.svg.getBoundingClientRect();
      this.zoom(2 ** (-event.deltaY / 400), event.clientX - left, event.clientY - top);
    });
    on("pointerdown", (event) => (this.dragged = event.button === 0 ? [event.clientX, event.clientY] : null));
    on("pointermove", (event) => {
      if (!this.dragged || !event.buttons) return;
      this.move(this.dragged[0] - event.clientX, this.dragged[1] - event.clientY);
      this.dragged = [event.clientX, event.clientY];
    });
    on("pointerup", () => (this.dragged = null));
    on("keydown", (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? null : this.keys()[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  // Another call takes its place.
  end() {
    this.ended.abort();
    this.svg.replaceChildren();
  }

  keys() {
    const leave = () => this.chosen && this.svg.focus();
    return {
      "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.whole(),
      ArrowLeft: () => this.move(-STEP, 0), ArrowRight: () => this.move(STEP, 0),
      ArrowUp: () => this.move(0, -STEP), ArrowDown: () => this.move(0, STEP),
      n: () => this.step(1), p: () => this.step(-1), Escape: leave,
    };
  }
}

const alarm = (text) => make("span", { class: "alarm" }, text);
const between = (least, value, most) => Math.max(least, Math.min(value, most));

// Over several rounds: shown with the node that it leads to, or nothing else could be seen.
const isFar = ({ from, to }) => Math.abs(to.block - from.block) > 1;

// What stands on a node: its name and its id, or its name alone where that takes two lines.
function linesOf({ kind, name, id }) {
  const short = kind === "part" ? id.split("/")[0] : id.length <= 19 ? id : `${id.slice(0, 18)}…`;
  if (name.length <= 17) return [name, short];
  const end = name.lastIndexOf(" ", 17);
  return end > 0 ? [name.slice(0, end), name.slice(end + 1)] : [name, short];
}

function wayOf({ from, to }) {
  if (from.x === to.x) {
    const [begin, end] = from.y < to.y ? [HIGH, 0] : [0, HIGH];
    return `M${from.x + 6 + WIDE / 2} ${from.y + 6 + begin}L${to.x + 6 + WIDE / 2} ${to.y + 6 + end}`;
  }
  const [x1, y1, x2, y2] = [from.x + 6 + WIDE, from.y + 6 + HIGH / 2, to.x + 6, to.y + 6 + HIGH / 2];
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

// The same for readers without a picture: each role call with what it read and wrote.
function callTable(picture) {
  const { nodes, blocks } = readPicture(picture);
  const item = (node) => `${node.name} (${node.id})${node.bad ? " – not allowed" : ""}${node.differs ? " – differs" : ""}`;
  const list = (all) => (all.length ? make("ul", null, ...all.map((node) => make("li", null, item(node)))) : make("span", null, "nothing"));
  const row = (node) =>
    make("tr", null,
      make("td", null, blocks[node.block].name),
      make("th", { scope: "row" }, `${node.name}${node.stands ? "" : " (does not stand)"}${node.differs ? " – differs" : ""}`),
      make("td", null, list(node.from.map((edge) => edge.from))),
      make("td", null, list(node.to.map((edge) => edge.to))));
  const head = ["Where", "Role call", "Read", "Wrote"].map((name) => make("th", { scope: "col" }, name));
  return make("table", { class: "flow" }, make("thead", null, make("tr", null, ...head)), make("tbody", null, ...nodes.filter((node) => node.kind === "call").map(row)));
}
