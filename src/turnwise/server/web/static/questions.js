// Questions on a page that is not a task: examples, a quiz, questions about the rater.

// The questions under an element, each with the widget of its type.
export async function load(root) {
  const questions = [...root.querySelectorAll(".q")];
  const types = [...new Set(questions.map((q) => q.dataset.type))];
  const modules = await Promise.all(types.map((type) => import(`./questions/${type}/widget.js`)));
  const widgets = Object.fromEntries(types.map((type, n) => [type, modules[n]]));
  return { questions, widget: (q) => widgets[q.dataset.type] };
}

export function collect({ questions, widget }) {
  const answers = {};
  for (const q of questions) {
    const value = widget(q).read(q);
    if (value !== null) (answers[q.dataset.position] ??= {})[q.dataset.question] = value;
  }
  return answers;
}

export function mark(q, message) {
  q.classList.add("wrong");
  const error = q.querySelector(".err");
  error.lastElementChild.textContent = message;
  error.hidden = false;
}

export function unmark(q) {
  q.classList.remove("wrong");
  q.querySelector(".err").hidden = true;
}

export const focusOn = (q) => q.querySelector("input:checked, input, textarea, button, [tabindex]")?.focus();

// Answers can be read and not changed.
export function lock(q) {
  q.classList.add("locked");
  for (const control of q.querySelectorAll("input, textarea, select, button")) control.disabled = true;
  for (const stop of q.querySelectorAll("[tabindex]")) stop.removeAttribute("tabindex");
}
