// A grid: one candidate at a time, with a row of options for each criterion.
import { isExplained, readExplanation, showExplanation, writeExplanation } from "../shared/explanation.js";

const panels = (root) => [...root.querySelectorAll(".panel")];
const cells = (part) => [...part.querySelectorAll(".cell")];
const shown = (root) => panels(root).find((panel) => !panel.hidden);
const chosen = (cell) => cell.querySelector("input[type=radio]:checked");
const current = (root) => shown(root).querySelector(".cell[data-now]") ?? cells(shown(root)).find(isOpen) ?? cells(shown(root))[0];
// A cell is open until an option is chosen and its explanation, if required, is given.
const isOpen = (cell) => !chosen(cell) || !isExplained(cell, chosen(cell).value);

export function read(root) {
  const answer = {};
  for (const panel of panels(root)) {
    for (const cell of cells(panel).filter(chosen)) {
      const explanation = readExplanation(cell, chosen(cell).value);
      (answer[panel.dataset.candidate] ??= {})[cell.dataset.criterion] = { choice: Number(chosen(cell).value), ...(explanation && { explanation }) };
    }
  }
  return Object.keys(answer).length ? answer : null;
}

export function write(root, value) {
  for (const panel of panels(root)) {
    for (const cell of cells(panel)) {
      const given = value?.[panel.dataset.candidate]?.[cell.dataset.criterion] ?? null;
      for (const input of cell.querySelectorAll("input[type=radio]")) input.checked = Number(input.value) === given?.choice;
      writeExplanation(cell, given?.choice, given?.explanation);
      for (const optional of cell.querySelectorAll("details")) optional.open = Boolean(given?.explanation);
    }
  }
  const open = cells(root).find(isOpen);
  show(root, open ? open.closest(".panel") : panels(root)[0]);
  changed(root);
}

export function changed(root) {
  for (const cell of cells(root)) {
    showExplanation(cell, chosen(cell)?.value);
    cell.toggleAttribute("data-open", isOpen(cell));
    cell.toggleAttribute("data-chosen", Boolean(chosen(cell)));
  }
  for (const panel of panels(root)) {
    const tab = tabOf(root, panel);
    const open = cells(panel).map(isOpen);
    [...tab.querySelectorAll(".dots i")].forEach((dot, i) => dot.classList.toggle("done", !open[i]));
    tab.querySelector(".done-n").textContent = root.dataset.sayDone
      .replace("{done}", open.filter((is) => !is).length)
      .replace("{count}", open.length);
  }
}

export const whole = (root) => !cells(root).some(isOpen);
export const count = (root) => ({ done: cells(root).filter((cell) => !isOpen(cell)).length, all: cells(root).length });

// Where to continue: the first open cell, or the last visited one.
export function focus(root) {
  goTo(root, cells(root).find(isOpen) ?? current(root));
}

// Number keys choose an option in the current cell; returns true when no cell is open.
export function key(root, pressed) {
  const cell = current(root);
  const input = cell.querySelectorAll("input[type=radio]")[Number(pressed) - 1];
  if (!input || input.disabled) return false;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  goOn(root, cell);
  return whole(root);
}

// The next open cell: below, then at the next candidates, then skipped cells.
function goOn(root, cell) {
  const all = cells(root);
  const from = all.indexOf(cell) + (isOpen(cell) ? 0 : 1);
  const next = [...all.slice(from), ...all.slice(0, from)].find(isOpen);
  if (next) goTo(root, next);
}

function goTo(root, cell) {
  show(root, cell.closest(".panel"));
  const why = chosen(cell) && isOpen(cell) && cell.querySelector("[data-why]:not([hidden])");
  const control = why ? why.querySelector("input, textarea") : (chosen(cell) ?? cell.querySelector("input"));
  control.focus();
  cell.scrollIntoView({ block: "nearest" });
}

function show(root, panel) {
  for (const other of panels(root)) {
    const on = other === panel;
    const tab = tabOf(root, other);
    other.hidden = !on;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
  // A long text would hide the questions about it, so it scrolls away.
  const text = panel.querySelector(".cand");
  text.classList.toggle("tall", text.offsetHeight > innerHeight / 4);
}

const tabOf = (root, panel) => root.querySelector(`.tab[data-candidate="${panel.dataset.candidate}"]`);

document.addEventListener("focusin", (event) => {
  const root = event.target.closest('[data-type="grid"]');
  if (!root) return;
  const now = event.target.closest(".cell");
  for (const cell of cells(root)) cell.toggleAttribute("data-now", cell === now);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest('[data-type="grid"] :is(.tab, .next)');
  if (!button || button.disabled) return;
  const root = button.closest(".q");
  if (button.matches(".tab")) return show(root, root.querySelector(`.panel[data-candidate="${button.dataset.candidate}"]`));
  const next = button.closest(".panel").nextElementSibling;
  show(root, next);
  tabOf(root, next).focus({ preventScroll: true });
  root.scrollIntoView({ block: "start" });
});

document.addEventListener("keydown", (event) => {
  const root = event.target.closest?.('[data-type="grid"]');
  if (!root || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches(".tab")) return alongTabs(root, event);
  if (event.key === "Enter" && event.target.closest("[data-why]")) {
    event.preventDefault();
    goOn(root, event.target.closest(".cell"));
  }
});

function alongTabs(root, event) {
  const all = panels(root);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] * (getComputedStyle(root).direction === "rtl" ? -1 : 1);
  if (!step) return;
  event.preventDefault();
  const next = all[(all.indexOf(shown(root)) + step + all.length) % all.length];
  show(root, next);
  tabOf(root, next).focus();
}
