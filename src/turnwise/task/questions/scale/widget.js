// A scale: one radio button is the answer.
export function read(root) {
  const chosen = root.querySelector("input:checked");
  return chosen ? Number(chosen.value) : null;
}

export function write(root, value) {
  for (const input of root.querySelectorAll("input")) input.checked = Number(input.value) === value;
}

// Number keys choose a point; true means that the answer is whole and the next question may follow.
export function key(root, pressed) {
  const input = root.querySelectorAll("input")[Number(pressed) - 1];
  if (!input || input.disabled) return false;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}
