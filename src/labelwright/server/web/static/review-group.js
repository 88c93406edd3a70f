// One decision for a group of cases: the preview follows the selection and the verdict.

import { fill, isComplete, missing, point, say } from "./reasons.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("verdict"));
const all = /** @type {HTMLInputElement} */ (document.getElementById("all"));
const preview = /** @type {HTMLElement} */ (document.querySelector(".prev"));
const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("td.pick input")]).filter((box) => !box.disabled);
let chosen = null;

const money = (cents) => (preview.dataset.sign ? `${preview.dataset.sign}${(cents / 100).toFixed(2)}` : "");

function count() {
  const picked = boxes.filter((box) => box.checked);
  const sum = (name, of = picked) => of.reduce((total, box) => total + Number(box.dataset[name]), 0);
  const refilled = picked.filter((box) => box.dataset.refilled === "1");
  const sums = { tasks: `${picked.length} task${picked.length === 1 ? "" : "s"}`, answers: sum("answers").toLocaleString("en"), places: String(refilled.length), cents: money(sum("cents")), again: money(sum("cents", refilled)) };
  for (const place of document.querySelectorAll("[data-sum]")) {
    const text = sums[place.getAttribute("data-sum")];
    if (text) place.textContent = text;
  }
  document.getElementById("selected").textContent = `${picked.length} of ${document.querySelectorAll("td.pick input").length}`;
  all.checked = picked.length === boxes.length;
}

function choose(button) {
  chosen = button;
  for (const each of form.querySelectorAll("button[name=choice]")) {
    each.setAttribute("aria-pressed", String(each === button));
    each.classList.toggle("on", each === button);
  }
  document.getElementById("what").textContent = button.textContent.replace(button.dataset.key, "").trim();
  for (const part of document.querySelectorAll("[data-only]")) part.toggleAttribute("hidden", part.getAttribute("data-only") !== button.value);
  document.querySelector("[data-message]").textContent = button.value === "fine" ? "only with a reason" : "one, with the receipts";
  document.getElementById("confirm").hidden = false;
  if (button.value === "fine" || isComplete()) return say("");
  say(missing());
  point();
}

// A decision on many takes two steps: the verdict shows its preview, and the confirmation applies it.
function apply() {
  if (!chosen) return;
  if (!boxes.some((box) => box.checked)) return say("Select at least one task.");
  const why = /** @type {HTMLTextAreaElement} */ (document.getElementById("why"));
  if (chosen.value !== "fine" && !isComplete()) {
    say(missing());
    return point();
  }
  // An unfinished template is no reason.
  if (!isComplete()) why.value = "";
  const choice = Object.assign(document.createElement("input"), { type: "hidden", name: "choice", value: chosen.value });
  form.append(choice);
  form.submit();
}

document.addEventListener("change", (event) => {
  if (event.target === all) for (const box of boxes) box.checked = all.checked;
  count();
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-key], #confirm") : null;
  if (!button) return;
  event.preventDefault();
  if (button.id === "confirm") apply();
  else if (button.classList.contains("chip")) fill(button);
  else choose(button);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    return apply();
  }
  const typing = event.target instanceof Element && event.target.closest("textarea, select, input:not([type=checkbox])");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = /** @type {HTMLElement} */ (document.querySelector(`button[data-key="${CSS.escape(event.key.toUpperCase())}"]`));
  if (button) {
    event.preventDefault();
    button.click();
  }
});

document.querySelector("select[data-sends]")?.addEventListener("change", (event) => /** @type {HTMLSelectElement} */ (event.target).form.submit());
const proposed = form.querySelector(`button[value="${form.dataset.proposed}"]`);
if (proposed) choose(proposed);
document.documentElement.dataset.shown = "";
