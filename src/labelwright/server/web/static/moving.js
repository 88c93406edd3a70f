// Moving about a task's page: from step to step, to what is still open, to the target and to the instructions.
import { activate, focusOn, isOpen, questions, showProgress, within } from "./asked.js";
import { $, texts } from "./page.js";
import { leaveField, mark, unmark } from "./questions.js";
import { say } from "./questions/shared/saying.js";
import { current, go, indexOf, steps, target } from "./steps.js";

// Whether nothing is open among some questions; what is open is marked, and the first of it shown.
/** @param {Question[]} asked */
export function complete(asked) {
  leaveField();
  asked.forEach(unmark);
  for (const q of asked) if (isOpen(q)) mark(q, q.dataset.missing);
  return goToWrong();
}

export function goToWrong() {
  const wrong = questions.filter((q) => q.classList.contains("wrong"));
  if (!wrong.length) return true;
  showStep(indexOf(wrong[0]), wrong[0]);
  $("#say").textContent = wrong.length === 1 ? texts.openOne : say(texts.openMany, { n: wrong.length });
  return false;
}

/** @param {number} to @param {Question} [q] */
export function showStep(to, q = within(steps[to] ?? current())[0]) {
  go(to);
  showProgress();
  reachPanes();
  if (!q) return;
  activate(q);
  focusOn(q);
}

// To the target and back to the question that one came from.
export function lookAtTarget() {
  const there = target();
  if (!there) return;
  if (document.activeElement === there) return focusOn($(".q[data-active]"));
  there.scrollIntoView({ block: "center" });
  there.focus({ preventScroll: true });
}

// A pane that overflows must be reachable by keyboard; one that does not stays out of the tab order.
export function reachPanes() {
  for (const pane of document.querySelectorAll("[data-pane]")) {
    const overflows = pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY === "auto";
    overflows ? (pane.tabIndex = 0) : pane.removeAttribute("tabindex");
  }
}

export function toggleInstructions() {
  const shown = $("#instructions").toggleAttribute("hidden") === false;
  $("#help").setAttribute("aria-expanded", String(shown));
  if (shown) $("#instructions").scrollIntoView({ block: "nearest" });
  reachPanes();
}
