// Free text, with a word count near the limit.
const words = (text) => text.trim().split(/\s+/).filter(Boolean).length;

export function read(root) {
  const text = root.querySelector("textarea").value;
  return text.trim() ? text : null;
}

export function write(root, value) {
  root.querySelector("textarea").value = value ?? "";
  changed(root);
}

export function changed(root) {
  const count = words(root.querySelector("textarea").value);
  const most = Number(root.dataset.maxWords);
  const least = Number(root.dataset.minWords);
  const note = root.querySelector(".words");
  const near = count > most * 0.8 || (count > 0 && count < least);
  const told = count < least ? root.dataset.few : root.dataset.many;
  note.textContent = near ? told.replace("{n}", count).replace("{least}", least).replace("{most}", most) : "";
  note.classList.toggle("over", count > most);
}

// Number keys are typed into the text.
export function key() {
  return false;
}
