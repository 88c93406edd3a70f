// One of several radio buttons; shared by all questions with options.
/** @type {(root: ParentNode) => HTMLInputElement[]} */
const radios = (root) => [...root.querySelectorAll("input[type=radio]")];

// The code of the chosen option, or null.
/** @param {ParentNode} root */
export function chosen(root) {
  const input = radios(root).find((radio) => radio.checked);
  return input ? Number(input.value) : null;
}

/** @param {ParentNode} root @param {number | null} code */
export function choose(root, code) {
  for (const input of radios(root)) input.checked = code !== null && Number(input.value) === code;
}

// Number keys choose an option by its place or, if all options are numbers, by its name. Returns whether it exists.
/** @param {HTMLElement} root @param {string | number} pressed */
export function chooseByKey(root, pressed) {
  const names = [...root.querySelectorAll(".nm")].map((name) => name.textContent);
  const place = "numbers" in root.dataset ? names.indexOf(String(pressed)) : Number(pressed) - 1;
  const input = radios(root)[place];
  if (!input || input.disabled) return false;
  input.checked = true;
  input.focus();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}
