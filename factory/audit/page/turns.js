// A call turn by turn, side by side: what the agent meant, what was heard, what the caller's model was given, what it said.

const COLUMNS = ["The agent meant", "The caller had heard", "The caller’s side was given", "The caller said"];

function turnTable(call, found) {
  const head = make("tr", null, make("th", { scope: "col" }, "Round"), ...COLUMNS.map((c) => make("th", { scope: "col" }, c)));
  const rows = call.turns.flatMap((turn) => [...findingRows(found, turn.round), turnRow(call, turn)]);
  return make(
    "table", { class: "turns", role: "table" },
    make("caption", { class: "sr" }, `The call turn by turn: ${call.key}`),
    make("thead", { role: "rowgroup" }, head),
    make("tbody", { role: "rowgroup" }, ...rows),
  );
}

const findingRows = (found, round) =>
  byKind(found, round).map((group) => make("tr", { class: "found", role: "row" }, make("td", { colspan: "5", role: "cell" }, ...foundText(group))));

// The findings of a round, or with null those of the whole call, those of one kind together.
function byKind(found, round) {
  const groups = new Map();
  for (const finding of found.filter((one) => one.round === round)) {
    if (!groups.has(finding.kind)) groups.set(finding.kind, []);
    groups.get(finding.kind).push(finding);
  }
  return [...groups.values()];
}

function foundText([{ kind, text }, ...others]) {
  const more = folded(`${others.length} ${others.length === 1 ? "follows" : "follow"}`, () => [make("ul", null, ...others.map((other) => make("li", null, other.text)))]);
  return [make("span", { class: "kind" }, kind), ` ${text}`, others.length ? more : null];
}

function turnRow(call, turn) {
  const { caller } = turn;
  const cells = [meantCell(turn), heardCell(turn), caller ? givenCell(call, turn) : ["–"], caller ? saidCell(caller) : ["Nothing: the call ends here."]];
  return make(
    "tr", { id: `round-${turn.round}`, tabindex: "-1", role: "row" },
    make("th", { scope: "row", role: "rowheader" }, `${turn.round}`, turn.attempt ? make("small", null, counted(turn.attempt, "earlier attempt")) : null),
    ...cells.map((content, place) => make("td", { "data-column": COLUMNS[place], role: "cell", class: classOf(turn, place) }, ...content, ...marksOf(turn, place))),
  );
}

// The cells that can have marks of what does not hold in them; the given one takes digests itself.
const MARKED = ["meant", "heard", "given", "said"];
const marksIn = ({ marks = [] }, place) => marks.filter(({ cell }) => cell === MARKED[place]);
const marksOf = (turn, place) => marksIn(turn, place).map(({ text }) => make("p", { class: "mark differs" }, `✗ ${text}`));
const classOf = (turn, place) => `${place > 1 ? "caller-side" : ""}${marksIn(turn, place).length ? " wrong" : ""}`.trim() || null;

function meantCell(turn) {
  if (!turn.cut) return [turn.meant];
  const [heard, delivered] = [partOf(turn, turn.heard), partOf(turn, turn.delivered)];
  if (!turn.meant.startsWith(delivered) || !delivered.startsWith(heard)) return [turn.meant];
  return [
    heard,
    make("mark", { class: "over" }, make("span", { class: "sr" }, "Spoken over: "), delivered.slice(heard.length)),
    make("del", null, make("span", { class: "sr" }, "Never said: "), turn.meant.slice(delivered.length)),
  ];
}

function heardCell(turn) {
  if (!turn.cut && turn.heard === turn.meant.length) return [make("span", { class: "soft" }, "All of it.")];
  return [partOf(turn, turn.heard), " ", make("span", { class: "cut" }, "▏the caller starts to speak")];
}

function saidCell({ text, type, gives }) {
  const given = gives.map(([slot, value]) => `${words(slot)}: ${value}`).join("; ");
  return [
    type ? make("p", { class: `badge type-${type}` }, make("span", { class: "letter", "aria-hidden": "true" }, type[0].toUpperCase()), words(type)) : null,
    make("p", null, text),
    given ? make("p", { class: "soft small" }, `gives ${given}`) : null,
  ];
}

function givenCell(call, turn) {
  return [givenBlock(call, turn, 0), givenBlock(call, turn, 1)];
}

function givenBlock(call, turn, place) {
  const { prompt } = turn.caller.given[place];
  const who = place ? "User: says it" : "Reaction planner: plans it";
  const content = prompt ? promptView(prompt) : fieldsView(call, turn, place);
  return make("div", { class: "given" }, make("h4", null, prompt ? `${who} (${prompt.model})` : who), content, digestMark(call, turn, place));
}

// The very prompt, made when it is opened.
function promptView(prompt) {
  if (prompt.missing) return make("p", { class: "soft" }, `The prompt is not shown: ${prompt.missing}.`);
  const length = prompt.messages[0].length + prompt.messages[1].length;
  return folded(`The prompt, ${counted(length, "character")}`, () => [
    make("p", { class: "soft small" }, `System message, from ${prompt.template}`),
    make("pre", { tabindex: "0", role: "group", "aria-label": "System message" }, prompt.messages[0]),
    make("p", { class: "soft small" }, "The message behind it, scrolled to its end"),
    make("pre", { class: "to-end", tabindex: "0", role: "group", "aria-label": "The message behind it" }, prompt.messages[1]),
    prompt.replies > 1 ? make("p", { class: "soft small" }, `${counted(prompt.replies, "reply", "replies")} came; behind each that was not taken, the model was told its faults.`) : null,
  ]);
}

// The view, field by field; the second one of a round holds what the first does, but for lines and intent.
function fieldsView(call, turn, place) {
  const { type, facts, lines, plan, given } = turn.caller;
  const seed = ["Seed", given[place].seed];
  if (place) {
    const answer = plan[1] ? [make("br"), `answer: ${plan[1]}`] : [];
    return listOf([["Plan", [plan[0], ...answer, make("br"), `manner: ${plan[2]}`]], ["Besides", "type, heard and facts as above"], seed]);
  }
  const heard = heardBefore(call, turn);
  const intent = Object.entries(call.intent).map(([key, value]) => [words(key), [value].flat().join(" / ") || "none"]);
  return listOf([
    ["Type", type ? words(type) : "none: it is their turn"],
    ["Heard", folded(counted(heard.length, "message"), () => [messageList(heard)])],
    ["Intent", folded("who they are", () => [listOf(intent)])],
    ["Lines", released(lines)],
    ["Facts", facts.map(([key, value]) => `${words(key)}: ${value}`).join("; ") || "none"],
    seed,
  ]);
}

function released(lines) {
  const all = lines.flatMap(([kind, texts]) => texts.map((text) => `${words(kind)}: ${text}`));
  if (all.length < 2) return make("span", null, all[0] || "none");
  return folded(`${counted(all.length, "way")} to say ${lines.map(([kind]) => words(kind)).join(", ")}`, () => [make("ul", null, ...all.map((line) => make("li", null, line)))]);
}

function messageList(messages) {
  return make("ol", { class: "history" }, ...messages.map(([speaker, text]) => make("li", null, make("b", null, `${speaker}: `), text)));
}

function listOf(fields) {
  return make("dl", null, ...fields.flatMap(([name, content]) => [make("dt", null, name), make("dd", null, ...[content].flat())]));
}

function folded(title, content) {
  const details = make("details", null, make("summary", null, title));
  const fill = () => {
    details.append(...content().filter(Boolean));
    for (const long of details.querySelectorAll(".to-end")) long.scrollTop = long.scrollHeight;
  };
  details.addEventListener("toggle", fill, { once: true });
  return details;
}
