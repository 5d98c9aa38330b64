// Just enough of a browser to run the script of a match's page: node tests/browser.js PAGE.html
// Steps through the whole match by slider, buttons and keys; prints what the page then shows.
"use strict";
const html = require("fs").readFileSync(process.argv[2], "utf8");

class Element {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), own: "", childNodes: [], attributes: {}, handlers: {} });
    this.kinds = new Set();
    this.style = { setProperty() {} };
    this.classList = { toggle: (kind, on) => (on ? this.kinds.add(kind) : this.kinds.delete(kind)) };
  }
  get children() { return this.childNodes; }
  set className(kinds) { this.kinds = new Set(kinds.split(" ")); }
  get textContent() { return this.own + this.childNodes.map((node) => ` ${node.textContent}`).join(""); }
  set textContent(text) { this.replaceChildren(); this.own = text; }
  append(...nodes) {
    if (!nodes.every((node) => node instanceof Element)) throw Error("appended what is no element");
    this.childNodes.push(...nodes);
  }
  replaceChildren(...nodes) { this.own = ""; this.childNodes = []; this.append(...nodes); }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
  cloneNode() { return Object.assign(new Element(this.tagName), { own: this.textContent }); }
  closest() { return this; }
  addEventListener(kind, act) { this.handlers[kind] = act; }
  all(kind) { return this.childNodes.flatMap((node) => [...(node.kinds.has(kind) ? [node] : []), ...node.all(kind)]); }
}

const known = {};
for (const [, tag, id] of html.matchAll(/<(\w+)[^>]*? id="([\w-]+)"/g)) known[id] = new Element(tag);
known.match.own = html.match(/id="match">(.*)<\/script>/)[1];
const { events } = JSON.parse(known.match.own);
for (const entry of html.matchAll(/<li class="is-\w+">(.*)<\/li>/g)) {
  const text = Object.assign(new Element("span"), { own: entry[1].replace(/<[^>]*>/g, "") });
  known.log.append(new Element("li"));
  known.log.childNodes.at(-1).append(text);
}
global.document = Object.assign(new Element("document"), {
  getElementById: (id) => known[id] ?? null,
  createElement: (tag) => new Element(tag),
});
(0, eval)(html.match(/<script>\n([\s\S]*?)<\/script>/)[1]);

function press(key, shiftKey = false) {
  document.handlers.keydown({ key, shiftKey, target: known.stage, preventDefault() {} });
}
function at(act) {
  act();
  return Number(known.slider.value);
}
const click = (id) => () => known[id].handlers.click();

const shown = events.map((_, i) => {
  known.slider.value = String(i);
  known.slider.handlers.input();
  return {
    cards: known.table.all("seat").map((seat) => seat.all("card").length),
    reversed: !known.reversed.hidden,
    arrow: known.arrow.textContent,
    chosen: known.choices.all("chosen").map((choice) => choice.textContent),
  };
});
const last = {
  note: known.note.textContent.trim(),
  points: known.table.all("points").map((points) => points.textContent),
};
const walked = {
  hands: [at(() => press("Home"))],
  tricks: [at(() => press("Home"))],
  clicked: ["on", "trick-on", "hand-on", "hand-back", "back"].map((id) => at(click(id))),
  end: at(() => press("End")),
};
for (const [key, name, shift] of [["PageDown", "hands", false], ["ArrowRight", "tricks", true]]) {
  press("Home");
  while (walked[name].at(-1) < events.length - 1) walked[name].push(at(() => press(key, shift)));
}
known.speed.value = "1";
press("Home");
press(" "); // plays by itself ...
setTimeout(() => {
  walked.played = Number(known.slider.value);
  if (walked.played < events.length - 1) press(" "); // ... until it is stopped, or at the end
  console.log(JSON.stringify({ shown, last, walked }));
}, 100);
