// Tables of the requester's pages: search while typing, filters that apply at once, selection, and keys.
// Without this script, the same forms and links do all of it with a press of Enter.

const PAUSE = 250;

const boxes = () => [...document.querySelectorAll("[data-table]")];
const rows = (box) => [...box.querySelectorAll("tbody tr")];
const picks = (box) => [...box.querySelectorAll("td.pick input")];

// The address that a form of filters asks for; empty fields are left out, as in links.
function asked(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  return `${location.pathname}?${new URLSearchParams(/** @type {[string, string][]} */ (fields))}`;
}

let newest = 0;
/** Loads what a form asks for and replaces the table, so that the search field keeps its focus. */
async function show(form) {
  const number = ++newest;
  const box = form.closest("[data-table]");
  const address = asked(form);
  const response = await fetch(address).catch(() => null);
  // A slower answer to an earlier search must not replace that of the newest.
  if (number !== newest) return;
  if (!response?.ok) return location.assign(address);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(box.id);
  if (!fresh) return location.assign(address);
  history.replaceState(null, "", address);
  const focused = /** @type {HTMLElement} */ (document.activeElement)?.id;
  for (const part of [...box.children]) if (!part.classList.contains("filters")) part.remove();
  box.append(...[...fresh.children].filter((part) => !part.classList.contains("filters")));
  const links = box.querySelector(".fl-g");
  links?.replaceWith(fresh.querySelector(".fl-g"));
  if (focused) document.getElementById(focused)?.focus();
  count(box);
}

/** Says how many rows are selected, and what they add up to. */
function count(box) {
  const chosen = picks(box).filter((input) => input.checked);
  for (const row of rows(box)) row.classList.toggle("on", row.querySelector("td.pick input")?.checked ?? false);
  const all = box.querySelector("[data-all]");
  if (all) Object.assign(all, { checked: chosen.length > 0 && chosen.length === picks(box).length, indeterminate: chosen.length > 0 && chosen.length < picks(box).length });
  const said = box.querySelector("[data-selected]");
  if (said) said.textContent = String(chosen.length);
  const parts = [...box.querySelectorAll("[data-sum]")];
  for (const place of parts) {
    const sum = chosen.reduce((total, input) => total + Number(input.closest("tr").dataset[place.dataset.sum] ?? 0), 0);
    const { one, many, sign } = place.dataset;
    const shown = sign ? sign + (sum / 100).toLocaleString("en", { minimumFractionDigits: 2 }) : sum.toLocaleString("en");
    place.textContent = `${shown} ${sum === 1 ? one : many}`;
  }
}

let waiting;
document.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (!input.matches("[data-table] .find input")) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => show(input.form), PAUSE);
});
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-table] .asked")) return;
  event.preventDefault();
  clearTimeout(waiting);
  show(form);
});
document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const box = input.closest("[data-table]");
  if (!box) return;
  if (input.matches(".asked select")) show(input.form);
  if (input.matches("[data-all]")) for (const each of picks(box)) each.checked = input.checked;
  if (input.matches(".pick input")) count(box);
});
// The reset button empties the boxes only after this event.
document.addEventListener("reset", (event) => {
  const box = /** @type {HTMLElement} */ (event.target).closest("[data-table]");
  if (box) setTimeout(() => count(box));
});

/** Moves the focus by one row, from the row that has it. */
function move(box, step) {
  const links = rows(box).map((row) => row.querySelector("a"));
  const at = links.findIndex((link) => link?.closest("tr").contains(document.activeElement));
  links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + step))]?.focus();
}

document.addEventListener("keydown", (event) => {
  const typed = /** @type {HTMLElement} */ (event.target).closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const [box] = boxes();
  if (!box || typed || event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = event.key.toLowerCase();
  const input = document.activeElement?.closest("tr")?.querySelector("td.pick input");
  if (pressed === "/") box.querySelector(".find input")?.focus();
  else if (pressed === "j") move(box, 1);
  else if (pressed === "k") move(box, -1);
  else if (pressed === "x" && input) input.click();
  else return;
  event.preventDefault();
});

for (const box of boxes()) count(box);
