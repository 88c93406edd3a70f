// Navigation on a task page: between steps, to unanswered questions, to the target and to the instructions.
import { activate, focusOn, isOpen, questions, showProgress, within } from "./asked.js";
import { $, texts } from "./page.js";
import { leaveField, mark, unmark } from "./questions.js";
import { say } from "./questions/shared/saying.js";
import { current, go, indexOf, steps, target } from "./steps.js";

// Whether all these questions are answered; marks unanswered ones and shows the first of them.
/** @param {Question[]} asked */
export function complete(asked) {
  leaveField();
  asked.forEach(unmark);
  for (const q of asked) if (isOpen(q)) mark(q, q.dataset.missing);
  return goToWrong();
}

export function goToWrong() {
  const wrong = showWrong();
  if (!wrong.length) return true;
  showStep(indexOf(wrong[0]), wrong[0]);
  $("#say").textContent = $("#sum-text").textContent;
  return false;
}

// Sums up above the main button which questions are marked as wrong, and returns them.
export function showWrong() {
  const wrong = questions.filter((q) => q.classList.contains("wrong"));
  $("#sum").hidden = !wrong.length;
  $("#sum-text").textContent = wrong.length === 1 ? texts.openOne : say(texts.openMany, { n: wrong.length });
  return wrong;
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

// Jumps to the target, and back to the previous question.
export function lookAtTarget() {
  const there = target();
  if (!there) return;
  if (document.activeElement === there) return focusOn($(".q[data-active]"));
  there.scrollIntoView({ block: "center" });
  there.focus({ preventScroll: true });
}

// A scrollable pane must be reachable by keyboard; other panes stay out of the tab order.
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
