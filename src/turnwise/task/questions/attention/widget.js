// An attention check: one radio button is the answer, and its text is sent.
export function read(root) {
  return root.querySelector("input:checked")?.value ?? null;
}

export function write(root, value) {
  for (const input of root.querySelectorAll("input")) input.checked = input.value === value;
}

// Number keys choose an option; true means that the answer is whole and the next question may follow.
export function key(root, pressed) {
  const input = root.querySelectorAll("input")[Number(pressed) - 1];
  if (!input || input.disabled) return false;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}
