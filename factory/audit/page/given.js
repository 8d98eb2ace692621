// What the caller's side was given, put together again from what the page holds once, and its digests taken again.

// The prompts of a call, in order: each is so many characters of the one before, and the rest.
function unpackPrompts(call, systems) {
  let before = "";
  for (const { caller } of call.turns || []) {
    for (const { prompt } of caller ? caller.given : []) {
      if (!prompt || prompt.missing) continue;
      const { keep = 0, tail = "" } = prompt.user || {};
      before = before.slice(0, keep) + tail;
      prompt.messages = [systemMessage(systems, prompt.system || 0), before];
    }
  }
}

function systemMessage(systems, place) {
  const { base, keep = 0, tail = "" } = systems[place];
  return (keep ? systemMessage(systems, base).slice(0, keep) : "") + tail;
}

const partOf = (turn, part) => (typeof part === "string" ? part : turn.meant.slice(0, part));

// What the caller had listened to when they began to speak: the last message ends at the onset.
function heardBefore(call, turn) {
  const messages = [];
  for (const earlier of call.turns.slice(0, call.turns.indexOf(turn))) {
    messages.push(["agent", partOf(earlier, earlier.delivered)]);
    if (earlier.caller) messages.push(["caller", earlier.caller.text]);
  }
  return [...messages, ["agent", partOf(turn, turn.heard)]];
}

// The canonical JSON that a view's digest is taken of: keys in order, no white space, seeds as they are written.
function canonicalView(call, turn, place) {
  const { type, facts, lines, plan, given } = turn.caller;
  const text = JSON.stringify;
  const list = (all, one) => `[${all.map(one).join(",")}]`;
  const heard = list(heardBefore(call, turn), ([speaker, said]) => `{"speaker":${text(speaker)},"text":${text(said)}}`);
  const values = `{${facts.map(([key, value]) => `${text(key)}:${text(value)}`).join(",")}}`;
  const end = `"seed":${given[place].seed},"type":${text(type)}}`;
  const begin = `{"facts":${values},"heard":${heard},`;
  if (place) return `${begin}"plan":{"answer":${text(plan[1])},"gist":${text(plan[0])},"manner":${text(plan[2])}},${end}`;
  const who = Object.keys(call.intent).sort().map((key) => `${text(key)}:${text(call.intent[key])}`);
  const released = list(lines, ([kind, texts]) => `{"kind":${text(kind)},"texts":${text(texts)}}`);
  return `${begin}"intent":{${who.join(",")}},"lines":${released},${end}`;
}

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A mark that says whether the digest of what is shown here is the one in the ledger.
function digestMark(call, turn, place) {
  const { view, prompt } = turn.caller.given[place];
  const wanted = prompt ? prompt.ledger : view;
  const mark = make("p", { class: "mark" });
  if (!wanted) mark.append("The ledger has no call of this.");
  else if (!globalThis.crypto?.subtle) mark.append(`Ledger: ${legible(wanted.slice(0, 16))}. This browser takes no digests of a file.`);
  else if (call.shortened || (prompt && prompt.missing)) mark.append(`Ledger: ${legible(wanted.slice(0, 16))}. Not shown whole, so not compared here.`);
  else {
    const text = prompt ? JSON.stringify(prompt.messages) : canonicalView(call, turn, place);
    sha256(text).then((digest) => {
      const equal = digest === wanted;
      mark.classList.add(equal ? "equal" : "differs");
      mark.append(
        equal
          ? `✓ digest taken here: ${digest.slice(0, 16)}, as in the ledger`
          : `✗ digest taken here: ${digest.slice(0, 16)}, but the ledger has ${legible(wanted.slice(0, 16))}`,
      );
    });
  }
  return mark;
}
