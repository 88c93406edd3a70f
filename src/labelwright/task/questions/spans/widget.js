// Spans: parts of the text under judgment, marked by mouse, touch or keyboard. The text is not changed.
import { cornerOf, isLocked, judged, layerOver, nearest, paint, place, rangeOf, runsRightToLeft, selected, serves, snap, toPoints, toUnits, watch, wordBelow, words, zeroTicks } from "../shared/passage.js";
import { say } from "../shared/saying.js";

const STYLES = 3; // number of underline styles for kinds in the stylesheet; the list also names the kind
const FINGER_PAUSE = 80;

/** @typedef {{start: number, end: number, kind?: string}} Span a marked part; offsets in UTF-16 units */
/**
 * The state of a question while its page is open.
 * @typedef {object} State
 * @property {Question} root
 * @property {HTMLElement} element the text under judgment
 * @property {Text} node its only text node
 * @property {string} text
 * @property {Stretch[]} words
 * @property {Span[]} spans in order
 * @property {Stretch | null} pending the selection, not yet marked
 * @property {number | null} anchor the word where the selection began
 * @property {number} caret the word at the keyboard position
 * @property {Span | null} picked the part that keys and buttons act on
 * @property {boolean} changing whether its buttons are shown
 * @property {string[]} kinds
 * @property {HTMLElement} layer
 * @property {HTMLElement} numbers
 * @property {any} pad
 * @property {any} list
 * @property {any} row
 * @property {any} pop
 * @property {any} none
 * @property {any} hint
 * @property {any} told
 * @property {any} voice
 */

/** @type {WeakMap<Question, State>} */
const states = new WeakMap();

export function read(root) {
  const s = stateOf(root);
  if (!s.spans.length) return s.none?.checked ? [] : null;
  return s.spans.map(({ start, end, kind }) => [toPoints(s.text, start), toPoints(s.text, end), ...(kind ? [kind] : [])]);
}

export function write(root, value) {
  const s = stateOf(root);
  s.spans = (value ?? []).map(([start, end, kind]) => ({ start: toUnits(s.text, start), end: toUnits(s.text, end), kind }));
  if (s.none) s.none.checked = value?.length === 0;
  Object.assign(s, { pending: null, anchor: null, picked: null, changing: false });
  draw(s);
}

// A number key marks the selection with that kind, or changes the kind of the picked part.
export function key(root, digit) {
  const s = stateOf(root);
  const kind = s.kinds[Number(digit) - 1];
  if (!kind || isLocked(root)) return false;
  if (s.picked && !s.pending) {
    s.picked.kind = kind;
    answered(s);
  } else if (s.pending || document.activeElement === s.pad) mark(s, kind);
  return false;
}

// The element to focus first.
export const focus = (root) => stateOf(root).pad.focus();

// ---- state ----------------------------------------------------------------------

function stateOf(root) {
  if (!states.has(root)) states.set(root, setUp(root));
  return states.get(root);
}

function setUp(root) {
  const find = (selector) => root.querySelector(selector);
  const element = judged(root.dataset.position);
  element.normalize(); // browsers split very long texts into several nodes
  element.classList.add("markable");
  const node = /** @type {Text} */ (element.firstChild);
  const text = node.data;
  const s = /** @type {State} */ ({
    root, element, text, node,
    words: words(text, root.dataset.unit),
    spans: [],
    pending: null, anchor: null, caret: 0, picked: null, changing: false,
    pad: find(".pad"), list: find(".marks"), row: find("template"), pop: find("[data-pop]"),
    none: find(".nothing input"), hint: find("[data-hint]"), told: find("[data-told]"), voice: find("[data-say]"),
  });
  s.kinds = [...s.pop.querySelectorAll("[data-kind]")].map((button) => button.dataset.kind);
  s.layer = layerOver(element);
  s.numbers = s.layer.appendChild(Object.assign(document.createElement("div"), { className: "nums", ariaHidden: "true" }));
  s.layer.append(s.pop); // placed next to the text, although it belongs to the question
  listen(s);
  return s;
}

const piece = (s, [start, end]) => s.text.slice(start, end);
const numberOf = (s, span) => s.spans.indexOf(span) + 1;
const spanOver = (s, [start, end], but) => s.spans.find((span) => span !== but && span.start < end && start < span.end);

/** @param {State} s */
function announce(s, sentence, values = {}) {
  s.voice.textContent = say(s.root.dataset[sentence], values);
}

// ---- the rater's actions ----------------------------------------------------------

/** @param {State} s */
function answered(s) {
  s.root.dispatchEvent(new Event("change", { bubbles: true }));
  draw(s);
}

// The reason why a stretch cannot be marked, if any.
/** @param {State} s @param {Stretch} stretch @param {Span} [but] */
function refusal(s, stretch, but) {
  const { most, longest, overlaps, tooLong, tooMany } = s.root.dataset;
  const over = spanOver(s, stretch, but);
  if (longest && [...piece(s, stretch)].length > Number(longest)) return say(tooLong, { most: longest });
  if (over) return say(overlaps, { n: numberOf(s, over) });
  if (!but && s.spans.length >= Number(most)) return say(tooMany, { most });
  return "";
}

/** @param {State} s */
function choose(s, stretch, anchor = null) {
  Object.assign(s, { pending: stretch, anchor, picked: null, changing: false });
  s.told.textContent = "";
  draw(s);
}

/** @param {State} s */
function mark(s, kind = s.kinds[0]) {
  const stretch = s.pending ?? s.words[s.caret];
  const why = refusal(s, stretch);
  if (why) return s.pending ? draw(s) : choose(s, stretch, s.caret);
  const span = { start: stretch[0], end: stretch[1], kind };
  s.spans = [...s.spans, span].sort((a, b) => a.start - b.start);
  letGo(s);
  // Keys now act on the new mark: Delete removes it, a number changes its kind.
  if (s.pad.matches(":focus-visible")) s.picked = spanOver(s, s.words[s.caret]) ?? null;
  answered(s);
  announce(s, "marked", { n: numberOf(s, span), text: piece(s, stretch) });
}

/** @param {State} s */
function replace(s) {
  const [start, end] = s.pending;
  s.spans = s.spans.filter((span) => span.end <= start || end <= span.start);
  mark(s);
}

/** @param {State} s */
function letGo(s) {
  Object.assign(s, { pending: null, anchor: null, picked: null, changing: false });
  getSelection().removeAllRanges();
  if (s.pop.contains(document.activeElement)) s.pad.focus({ preventScroll: true });
}

/** @param {State} s */
function remove(s, span) {
  const n = numberOf(s, span);
  s.spans.splice(n - 1, 1);
  letGo(s);
  answered(s);
  announce(s, "removed", { n });
  if (document.activeElement === document.body) s.pad.focus({ preventScroll: true });
}

/** @param {State} s */
function pick(s, span) {
  Object.assign(s, { pending: null, anchor: null, picked: span, changing: true });
  draw(s);
  announce(s, "inside", { n: numberOf(s, span), text: piece(s, [span.start, span.end]) });
}

// Moves one end of a part by a word; the part never becomes empty or overlaps another.
/** @param {State} s */
function resize(s, span, end, on) {
  const edges = s.words.map((word) => word[end === "start" ? 0 : 1]);
  const at = span[end];
  const to = on ? edges.find((edge) => edge > at) : edges.findLast((edge) => edge < at);
  /** @type {Stretch} */
  const stretch = end === "start" ? [to, span.end] : [span.start, to];
  const why = to === undefined || stretch[0] >= stretch[1] ? s.root.dataset.stops : refusal(s, stretch, span);
  s.told.textContent = why;
  if (why) return draw(s);
  span[end] = to;
  answered(s);
  announce(s, "resized", { n: numberOf(s, span), text: piece(s, stretch) });
}

const ACTS = {
  mark: (s, button) => mark(s, button.dataset.kind),
  replace,
  cancel: (s) => (letGo(s), draw(s)),
  done: (s) => (letGo(s), draw(s)),
  remove: (s, button) => remove(s, partOf(s, button)),
  change: (s, button) => (pick(s, partOf(s, button)), s.pop.querySelector("[data-act=start-back]").focus({ preventScroll: true })),
  "start-back": (s) => resize(s, s.picked, "start", false),
  "start-on": (s) => resize(s, s.picked, "start", true),
  "end-back": (s) => resize(s, s.picked, "end", false),
  "end-on": (s) => resize(s, s.picked, "end", true),
};

const partOf = (s, control) => {
  const row = control.closest("li");
  return row ? s.spans[[...s.list.children].indexOf(row)] : s.picked;
};

// ---- keyboard -----------------------------------------------------------------------

/** @param {State} s */
function moved(s, event) {
  const forward = runsRightToLeft(s.element) ? "ArrowLeft" : "ArrowRight";
  const last = s.words.length - 1;
  const to = {
    ArrowLeft: s.caret + (forward === "ArrowLeft" ? 1 : -1),
    ArrowRight: s.caret + (forward === "ArrowRight" ? 1 : -1),
    ArrowUp: wordBelow(s.node, s.words, s.caret, -1),
    ArrowDown: wordBelow(s.node, s.words, s.caret, 1),
    Home: 0,
    End: last,
  }[event.key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
}

/** @param {State} s */
function go(s, to, event) {
  if (event.shiftKey && s.picked && !s.pending) {
    const on = to > s.caret || (to === s.caret && to > 0); // at the last word, the end can still move
    return resize(s, s.picked, event.ctrlKey ? "start" : "end", on);
  }
  if (event.shiftKey) {
    const from = s.anchor ?? s.caret;
    s.caret = to;
    choose(s, [s.words[Math.min(from, to)][0], s.words[Math.max(from, to)][1]], from);
    announce(s, "chosen", { text: piece(s, s.pending) });
  } else {
    s.caret = to;
    choose(s, null);
    s.picked = spanOver(s, s.words[to]) ?? null;
    draw(s);
    s.picked ? announce(s, "inside", { n: numberOf(s, s.picked), text: piece(s, s.words[to]) }) : (s.voice.textContent = piece(s, s.words[to]));
  }
  getSelection().removeAllRanges();
  bringIntoView(s);
}

// Scrolls the selection and its buttons into view: above the bar on a phone, and within the pane.
/** @param {State} s */
function bringIntoView(s) {
  s.layer.querySelector(".at").scrollIntoView({ block: "nearest" });
  if (!s.pop.hidden) s.pop.scrollIntoView({ block: "nearest" });
}

/** @param {State} s */
function pressed(s, event) {
  if (isLocked(s.root) || event.altKey || event.metaKey) return;
  const to = moved(s, event);
  if (to !== null) go(s, to, event);
  else if (event.key === "Enter" && !event.ctrlKey) s.picked && !s.pending ? pick(s, s.picked) : mark(s);
  else if (event.key === "Escape") (letGo(s), draw(s), announce(s, "letGo"));
  else if ((event.key === "Delete" || event.key === "Backspace") && s.picked) remove(s, s.picked);
  else return;
  event.preventDefault();
}

// ---- events -------------------------------------------------------------------------

/** @param {State} s */
function listen(s) {
  let dragging = false;
  let timer;
  const take = (byMouse) => {
    const range = !isLocked(s.root) && serves(s.root) && selected(s.node);
    const stretch = range && snap(s.text, ...range, s.root.dataset.unit);
    if (!stretch) return;
    s.caret = Math.max(0, s.words.findLastIndex(([start]) => start < stretch[1]));
    choose(s, stretch);
    if (!byMouse) return;
    getSelection().removeAllRanges(); // otherwise the next drag would move the selected text
    s.pad.focus({ preventScroll: true });
    bringIntoView(s);
  };
  s.element.addEventListener("pointerdown", (event) => (dragging = event.pointerType === "mouse"));
  document.addEventListener("pointerup", () => {
    if (dragging) setTimeout(take, 0, true);
    dragging = false;
  });
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    if (!dragging) timer = setTimeout(take, FINGER_PAUSE);
  });
  s.element.addEventListener("click", (event) => !isLocked(s.root) && serves(s.root) && !selected(s.node) && clicked(s, event));
  document.addEventListener("click", (event) => {
    const inside = [s.element, s.pop, s.root].some((part) => part.contains(event.target)) || selected(s.node);
    if (!inside && event.target.isConnected && (s.pending || s.changing)) (letGo(s), draw(s));
  });
  for (const part of [s.root, s.pop]) {
    part.addEventListener("click", (event) => {
      const button = event.target.closest("[data-act]");
      if (button && !isLocked(s.root)) ACTS[button.dataset.act](s, button);
    });
  }
  s.pop.addEventListener("keydown", (event) => event.key === "Escape" && (letGo(s), draw(s)));
  s.pad.addEventListener("keydown", (event) => pressed(s, event));
  for (const kind of ["focus", "blur"]) s.pad.addEventListener(kind, () => draw(s));
  s.root.addEventListener("change", (event) => {
    if (event.target.matches("select")) partOf(s, event.target).kind = event.target.value;
    if (event.target !== s.root) draw(s);
  });
  if (s.none) zeroTicks(s.root, s.none);
  watch(s.root, s.element, () => draw(s));
}

// A click or tap on a part picks it. Elsewhere it selects a word, and the next click extends the selection to there.
/** @param {State} s */
function clicked(s, event) {
  if (event.pointerType !== "touch") s.pad.focus({ preventScroll: true });
  const at = (stretches, most) => nearest(s.node, stretches, event.clientX, event.clientY, most);
  const hit = s.anchor === null ? at(s.spans.map(({ start, end }) => [start, end]), 2) : -1;
  if (hit >= 0) return pick(s, s.spans[hit]);
  const word = at(s.words);
  if (word < 0) return letGo(s), draw(s);
  const from = s.anchor ?? word;
  s.caret = word;
  choose(s, [s.words[Math.min(from, word)][0], s.words[Math.max(from, word)][1]], from);
  bringIntoView(s);
}

// ---- drawing ------------------------------------------------------------------------

/** @param {State} s */
function draw(s) {
  s.spans.forEach((span, n) => drawRow(s, span, n));
  while (s.list.children.length > s.spans.length) s.list.lastElementChild.remove();
  s.hint.hidden = s.spans.length > 0 || Boolean(s.none?.checked);
  if (s.none) {
    if (s.spans.length) s.none.checked = false;
    s.none.disabled = s.spans.length > 0 || isLocked(s.root);
  }
  const ranges = (spans) => spans.map(({ start, end }) => rangeOf(s.node, start, end));
  for (let style = 0; style < STYLES; style++) {
    paint(`span-${style}`, s.root, ranges(s.spans.filter((span) => Math.max(0, s.kinds.indexOf(span.kind)) % STYLES === style)));
  }
  const keyed = s.pad.matches(":focus-visible");
  s.element.classList.toggle("keyed", keyed);
  paint("picked", s.root, s.picked ? ranges([s.picked]) : []);
  paint("pending", s.root, s.pending ? [rangeOf(s.node, ...s.pending)] : []);
  paint("caret", s.root, keyed && !s.pending ? [rangeOf(s.node, ...s.words[s.caret])] : []);
  drawPlaces(s);
}

/** @param {State} s */
function drawRow(s, span, n) {
  const row = s.list.children[n] ?? s.list.appendChild(s.row.content.firstElementChild.cloneNode(true));
  row.querySelector(".n").textContent = n + 1;
  Object.assign(row.querySelector("p"), { textContent: piece(s, [span.start, span.end]), dir: getComputedStyle(s.element).direction });
  row.classList.toggle("picked", span === s.picked);
  named(row, n + 1);
  if (span.kind) row.querySelector("select").value = span.kind;
}

// Gives each control the number of its part.
function named(around, n) {
  for (const control of around.querySelectorAll("[data-named]")) {
    control.dataset.named ||= control.ariaLabel;
    control.ariaLabel = say(control.dataset.named, { n });
  }
}

/** @param {State} s */
function drawPlaces(s) {
  place(s.layer, s.element, s.root);
  const frame = s.element.getBoundingClientRect();
  s.numbers.textContent = "";
  s.spans.forEach((span, n) => put(s, frame, span.start, span.end, "b", n + 1));
  put(s, frame, ...s.words[s.caret], "i", "").className = "at";
  drawPop(s, frame);
}

/** @param {State} s */
function put(s, frame, start, end, tag, content) {
  const made = s.numbers.appendChild(Object.assign(document.createElement(tag), { textContent: content }));
  const corner = cornerOf(s.node, start, end, runsRightToLeft(s.element));
  if (corner) Object.assign(made.style, { left: `${corner.x - frame.left}px`, top: `${corner.y - frame.top}px` });
  return made;
}

/** @param {State} s */
function drawPop(s, frame) {
  const shown = s.pending ?? (s.changing ? [s.picked.start, s.picked.end] : null);
  s.pop.hidden = !shown;
  if (!shown) return;
  const why = s.pending ? refusal(s, s.pending) : s.told.textContent;
  const said = s.pop.querySelector(".refused");
  if (said.textContent !== why) said.textContent = why;
  said.hidden = !why;
  for (const face of s.pop.querySelectorAll("[data-face]")) face.hidden = (face.dataset.face === "new") !== Boolean(s.pending);
  for (const button of s.pop.querySelectorAll("[data-act=mark]")) button.hidden = Boolean(why);
  const over = s.pending && spanOver(s, s.pending);
  const onlyOverlaps = over && why === say(s.root.dataset.overlaps, { n: numberOf(s, over) });
  s.pop.querySelector("[data-act=replace]").hidden = !onlyOverlaps || s.kinds.length > 0;
  s.pop.querySelector("[data-face=change]").dir = runsRightToLeft(s.element) ? "rtl" : "ltr";
  if (s.picked) named(s.pop, numberOf(s, s.picked));
  const rects = [...rangeOf(s.node, ...shown).getClientRects()];
  const under = rects.at(-1);
  const x = Math.max(0, Math.min(under.left - frame.left, frame.width - s.pop.offsetWidth));
  Object.assign(s.pop.style, { left: `${x}px`, top: `${under.bottom - frame.top + 8}px` });
}
