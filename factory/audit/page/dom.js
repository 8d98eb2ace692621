"use strict";

// Everything out of a corpus goes through `make` and `legible`: it becomes text, never mark-up.
const find = (id) => document.getElementById(id);

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) if (value !== null) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null).map((c) => (typeof c === "string" ? legible(c) : c)));
  return element;
}

// Characters that are not seen, or turn the reading order round, are shown by their numbers.
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const legible = (text) =>
  text.replace(UNSEEN, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

const words = (name) => name.replaceAll("_", " ");
const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const readData = (id) => JSON.parse(find(id).textContent);
