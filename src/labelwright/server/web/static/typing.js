// How free text is typed: key strokes, the time between them, and pasted characters. Never which keys, and never text
// that was deleted. The page watches only if the study records typing and the rater agreed to it.
import { questions } from "./asked.js";
import { page } from "./page.js";

const LONGEST_PAUSE = 2; // seconds; a longer one is for thinking

/** @type {Record<string, {keys: number, seconds: number, pastes: number, pasted: number, before: number}>} */
const facts = {};
let last = 0;

const placeOf = (field) => {
  const q = field.closest?.(".q");
  return q && field.matches("textarea") ? `${q.dataset.position}:${q.dataset.question}` : null;
};

function factsOf(field) {
  const place = placeOf(field);
  return place && (facts[place] ??= { keys: 0, seconds: 0, pastes: 0, pasted: 0, before: 0 });
}

function typed(event) {
  const found = factsOf(event.target);
  // Pasted and dropped text is counted below.
  if (!found || event.inputType?.startsWith("insertFrom")) return;
  const pause = (event.timeStamp - last) / 1000;
  last = event.timeStamp;
  found.keys += 1;
  found.seconds = Math.round((found.seconds + Math.min(pause, LONGEST_PAUSE)) * 1000) / 1000;
}

function pasted(event) {
  const found = factsOf(event.target);
  const text = (event.clipboardData ?? event.dataTransfer)?.getData("text") ?? "";
  if (!found || !text) return;
  found.pastes += 1;
  found.pasted += text.length;
}

// After the saved answers are filled in.
export function watchTyping() {
  if (!page.typing) return;
  for (const field of questions.flatMap((q) => [...q.querySelectorAll("textarea")])) {
    const found = factsOf(field);
    if (found) found.before = field.value.length;
  }
  document.addEventListener("input", typed, true);
  document.addEventListener("paste", pasted, true);
  document.addEventListener("drop", pasted, true);
}

// What a submission says about typing; nothing if the study does not record it.
export const typingFacts = () => (page.typing ? { typing: facts } : {});
