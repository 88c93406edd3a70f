// Themes by keyboard: a digit assigns a theme to the selected texts or to the text in focus, with Shift it removes it.

const KEPT = "themes-row";
const textRows = () => [...document.querySelectorAll("[data-table] tbody tr")];

/** Sends the form of the selected texts with one theme. */
function send(position, action) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.bulk"));
  const select = /** @type {HTMLSelectElement | null} */ (form?.querySelector("select[name=theme]"));
  const button = /** @type {HTMLButtonElement | null} */ (form?.querySelector(`button[value=${action}]`));
  if (!form || !select || !button || position >= select.options.length) return false;
  const focused = document.activeElement?.closest("tr");
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("td.pick input"));
  const own = /** @type {HTMLInputElement | null} */ (focused?.querySelector("td.pick input"));
  if (![...inputs].some((input) => input.checked)) {
    if (!own) return false;
    own.checked = true;
  }
  if (focused) sessionStorage.setItem(KEPT, String(textRows().indexOf(focused)));
  select.selectedIndex = position;
  form.requestSubmit(button);
  return true;
}

document.addEventListener("keydown", (event) => {
  const typed = /** @type {HTMLElement} */ (event.target).closest("input:not([type=checkbox]), textarea, select");
  if (typed || event.ctrlKey || event.metaKey || event.altKey) return;
  // The digit of the key, which Shift changes to another character on most keyboards.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
  if (digit) {
    if (send(Number(digit) - 1, event.shiftKey ? "unassign" : "assign")) event.preventDefault();
  } else if (event.key.toLowerCase() === "u") {
    const undo = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-status] form button"));
    if (undo) event.preventDefault();
    undo?.click();
  }
});

// After the page is loaded again, the next key acts on the same row.
const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
if (kept !== null) textRows()[Number(kept)]?.querySelector("a")?.focus();
