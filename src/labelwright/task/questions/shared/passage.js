// The text under judgment, for questions that refer to it. It is one text node, equal to the stored text, and is
// never changed: highlights are painted on it, and everything else is drawn in a separate layer.
// Offsets in answers count code points; the browser's offsets count UTF-16 units.

const MARKABLE = /[\p{L}\p{N}\p{M}\p{S}\p{Extended_Pictographic}]/u;
const NEAR = 14; // a click this many pixels from a word still selects it; the gap between two lines

/** @param {string} position @returns {HTMLElement | null} */
export function judged(position) {
  const id = (name) => document.getElementById(name);
  const turn = id(`target-${position}`) ?? (position === "0" ? id("target") : null);
  return id(`passage-${position}`) ?? turn?.querySelector("p") ?? null;
}

// ---- offsets ------------------------------------------------------------------

/** @type {(text: string, units: number) => number} */
export const toPoints = (text, units) => [...text.slice(0, units)].length;

/** @param {string} text @param {number} points */
export function toUnits(text, points) {
  let units = 0;
  for (let n = 0; n < points; n++) units += text.codePointAt(units) > 0xffff ? 2 : 1;
  return units;
}

// ---- words --------------------------------------------------------------------

/** @param {string} text @param {string} unit "word" or "character" @returns {Stretch[]} */
function pieces(text, unit) {
  if (!Intl.Segmenter) return [...text.matchAll(/\S+|\s+/gu)].map((m) => [m.index, m.index + m[0].length]);
  const segmenter = new Intl.Segmenter(undefined, { granularity: unit === "character" ? "grapheme" : "word" });
  return [...segmenter.segment(text)].map((s) => [s.index, s.index + s.segment.length]);
}

// The words of a text, or its visible characters; a text of only symbols still has some.
/** @param {string} text @param {string} unit */
export function words(text, unit) {
  const inked = pieces(text, unit).filter(([start, end]) => text.slice(start, end).trim());
  const found = inked.filter(([start, end]) => MARKABLE.test(text.slice(start, end)));
  return unit === "word" && found.length ? found : inked;
}

// A selection extended to whole words (or characters), without white space at its ends; null if nothing is left.
/** @param {string} text @param {number} start @param {number} end @param {string} unit @returns {Stretch | null} */
export function snap(text, start, end, unit) {
  const held = pieces(text, unit).filter(([from, to]) => from < end && to > start && text.slice(from, to).trim());
  return held.length ? [held[0][0], held.at(-1)[1]] : null;
}

// ---- positions ----------------------------------------------------------------

/** @param {Text} node @param {number} start @param {number} end */
export function rangeOf(node, start, end) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

// The selected part of a text node, or null.
/** @param {Text} node @returns {Stretch | null} */
export function selected(node) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const whole = rangeOf(node, 0, node.length);
  if (!range.intersectsNode(node)) return null;
  const startsBefore = range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0;
  const endsAfter = range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0;
  const start = startsBefore ? 0 : range.startContainer === node ? range.startOffset : node.length;
  const end = endsAfter ? node.length : range.endContainer === node ? range.endOffset : 0;
  return start < end ? [start, end] : null;
}

const away = (r, x, y) => Math.hypot(Math.max(r.left - x, 0, x - r.right), Math.max(r.top - y, 0, y - r.bottom));

// The index of the stretch at or next to a point; -1 if there is none. Works in both writing directions.
/** @param {Text} node @param {Stretch[]} stretches @param {number} x @param {number} y @param {number} [most] */
export function nearest(node, stretches, x, y, most = NEAR) {
  let best = -1;
  stretches.forEach(([start, end], n) => {
    for (const rect of rangeOf(node, start, end).getClientRects()) {
      const distance = away(rect, x, y);
      if (distance < most) [best, most] = [n, distance];
    }
  });
  return best;
}

// The word above (step -1) or below (step 1) the word at an index.
/** @param {Text} node @param {Stretch[]} all @param {number} at @param {-1 | 1} step */
export function wordBelow(node, all, at, step) {
  const box = (n) => rangeOf(node, ...all[n]).getClientRects()[0];
  const middle = (rect) => (rect.left + rect.right) / 2;
  const here = box(at);
  let [best, least, line] = [at, Infinity, null];
  for (let n = at + step; all[n]; n += step) {
    const there = box(n);
    if (Math.abs(there.top - here.top) < here.height / 2) continue;
    line ??= there.top;
    if (Math.abs(there.top - line) >= here.height / 2) break;
    const distance = Math.abs(middle(there) - middle(here));
    if (distance < least) [best, least] = [n, distance];
  }
  return best;
}

// The upper corner where a stretch begins; in mixed-direction lines this is not always its first box.
/** @param {Text} node @param {number} start @param {number} end @param {boolean} rightToLeft */
export function cornerOf(node, start, end, rightToLeft) {
  const boxes = [...rangeOf(node, start, end).getClientRects()];
  const line = boxes.filter((box) => box.top < boxes[0].bottom);
  const x = rightToLeft ? Math.max(...line.map((box) => box.right)) : Math.min(...line.map((box) => box.left));
  return line.length ? { x, y: line[0].top } : null;
}

export const runsRightToLeft = (element) => getComputedStyle(element).direction === "rtl";

// ---- drawing ------------------------------------------------------------------

/** @type {Map<string, Map<Question, Range[]>>} name of a highlight, question, its ranges */
const painted = new Map();

// Paints ranges with a highlight from the stylesheet; browsers without highlights show only the list.
/** @param {string} name @param {Question} root @param {Range[]} ranges */
export function paint(name, root, ranges) {
  if (!("highlights" in CSS)) return;
  if (!painted.has(name)) painted.set(name, new Map());
  painted.get(name).set(root, root.hidden ? [] : ranges);
  const highlight = new Highlight(...[...painted.get(name).values()].flat());
  highlight.priority = name === "sentence" ? -1 : 0; // a marked part stays visible on a sentence
  CSS.highlights.set(name, highlight);
}

// Redraws when the question is shown or hidden, because it depends on another answer, and when the layout changes.
/** @param {Question} root @param {HTMLElement} element @param {() => void} draw */
export function watch(root, element, draw) {
  new MutationObserver(draw).observe(root, { attributeFilter: ["hidden"] });
  new ResizeObserver(draw).observe(element);
}

// A layer over the text that moves with it.
export function layerOver(element) {
  const layer = document.createElement("div");
  layer.className = "overlay";
  element.after(layer);
  return layer;
}

/** @param {HTMLElement} layer @param {HTMLElement} element @param {Question} root */
export function place(layer, element, root) {
  layer.hidden = root.hidden;
  Object.assign(layer.style, {
    left: `${element.offsetLeft}px`,
    top: `${element.offsetTop}px`,
    width: `${element.offsetWidth}px`,
    height: `${element.offsetHeight}px`,
  });
}

// ---- questions on the same text -------------------------------------------------

// Whether a click on the text is for this question: the active question, or else the first.
/** @param {Question} root */
export function serves(root) {
  const all = [...document.querySelectorAll(`.q[data-leans][data-position="${root.dataset.position}"]:not([hidden])`)];
  return root === (all.find((q) => "active" in q.dataset) ?? all[0]);
}

// The key 0 answers "nothing" while the question is active.
/** @param {Question} root @param {HTMLInputElement} none */
export function zeroTicks(root, none) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
    const isOurs = event.key === "0" && "active" in root.dataset && !root.hidden && !isLocked(root);
    if (isOurs && !typing && !event.ctrlKey && !event.altKey && !event.metaKey) none.click();
  });
}

// True if the question is read-only: another tab took over the work, or this is a worked example.
/** @param {Question} root */
export const isLocked = (root) => root.classList.contains("locked") || document.body.classList.contains("read-only");
