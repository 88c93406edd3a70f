// Several choices. An exclusive option clears the others, and they clear it.
const boxes = (root) => [...root.querySelectorAll("input[type=checkbox]")];

export function read(root) {
  const codes = boxes(root).filter((box) => box.checked).map((box) => Number(box.value));
  return codes.length ? codes : null;
}

export function write(root, value) {
  for (const box of boxes(root)) box.checked = Boolean(value?.includes(Number(box.value)));
}

export function changed(root, target) {
  if (!target?.checked) return;
  const alone = (box) => "alone" in box.dataset;
  for (const box of boxes(root)) if (box !== target && (alone(box) || alone(target))) box.checked = false;
}

// A number key toggles an option. The rater moves on with Tab or Enter, because more choices may follow.
export function key(root, pressed) {
  const box = boxes(root)[Number(pressed) - 1];
  if (!box || box.disabled) return false;
  box.focus();
  box.click();
  return false;
}
