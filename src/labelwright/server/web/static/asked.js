// The questions of a task: which ones are shown, their answers, and the progress.
import { $, texts } from "./page.js";
import { collect as collectFrom, load, unmark } from "./questions.js";
import { say } from "./questions/shared/saying.js";
import { draw } from "./steps.js";

export const { questions, widget, isWhole, focusOn, activate } = await load($("#f"));

export const shown = () => questions.filter((q) => !q.hidden);

// Shows each question whose `when` condition is met and hides the others, which are then neither required nor
// collected. The server applies the same rule (task/dependency.py). A `when` refers only to earlier questions, so one
// pass in order is enough.
export function showAsked() {
  for (const q of questions) {
    if (!q.dataset.when) continue;
    const { question, codes, answered } = JSON.parse(q.dataset.when);
    const other = shown().find((x) => x.dataset.question === question && x.dataset.position === q.dataset.position);
    const value = other ? widget(other).read(other) : null;
    const chosen = [value?.choice ?? value].flat().map(Number);
    q.hidden = answered === null ? value === null || !chosen.some((code) => codes.includes(code)) : (value !== null) !== answered;
    q.disabled = q.hidden;
    if (q.hidden) unmark(q);
  }
}

export const collect = () => collectFrom(shown(), widget);

/** @param {Answers} answers */
export function fill(answers) {
  for (const q of questions) widget(q).write(q, answers[q.dataset.position]?.[q.dataset.question] ?? null);
  showAsked();
  showProgress();
}

/** @param {Question} q */
export const isOpen = (q) => !q.hidden && ("required" in q.dataset || widget(q).read(q) !== null) && !isWhole(q);
/** @param {HTMLElement} step */
export const within = (step) => questions.filter((q) => step.contains(q));

// Beside each other in the reading pane: the reply that an answer prefers, and the one whose questions are open.
export function showFavoured() {
  const letters = shown().flatMap((q) => [
    ...[...q.querySelectorAll("input[data-favours]:checked")].map((input) => /** @type {HTMLElement} */ (input).dataset.favours),
    ...[...q.querySelectorAll(".tab[aria-selected=true] b")].map((tab) => tab.textContent),
  ]);
  for (const reply of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".item:not([hidden]) .replies > .reply"))) {
    reply.classList.toggle("now", letters.includes(reply.dataset.letter));
  }
}

// A widget whose answer has several parts counts the completed ones (`count`).
export function showProgress() {
  const required = shown().filter((q) => "required" in q.dataset);
  const counts = required.map((q) => widget(q).count?.(q) ?? { done: isOpen(q) ? 0 : 1, all: 1 });
  const sum = (what) => counts.reduce((total, each) => total + each[what], 0);
  showFavoured();
  $("#answered").textContent = say(texts.answered, { n: sum("done"), total: sum("all") });
  draw((step) => !within(step).some(isOpen), texts);
}
