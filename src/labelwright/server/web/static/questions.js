// Code for every page with questions: tasks, examples, quizzes, and questions about the rater.

// The questions inside an element, each with the widget of its type.
// A widget whose answer has several parts decides whether it is complete (`whole`) and where to continue (`focus`).
/** @param {ParentNode} root */
export async function load(root) {
  /** @type {Question[]} */
  const questions = [...root.querySelectorAll(".q")];
  const types = [...new Set(questions.map((q) => q.dataset.type))];
  const modules = await Promise.all(types.map((type) => import(`./questions/${type}/widget.js`)));
  const widgets = Object.fromEntries(types.map((type, n) => [type, modules[n]]));
  /** @type {(q: Question) => Widget} */
  const widget = (q) => widgets[q.dataset.type];
  return {
    questions,
    widget,
    /** @param {Question} q */
    isWhole: (q) => (widget(q).whole ? widget(q).whole(q) : widget(q).read(q) !== null),
    /** @param {Question} q */
    focusOn: (q) => (widget(q).focus ? widget(q).focus(q) : firstControl(q)?.focus()),
    /** @param {Question} q */
    activate: (q) => questions.forEach((other) => other.toggleAttribute("data-active", other === q)),
  };
}

// The chosen option comes first; a single selector would return the first match on the page.
/** @type {(q: Question) => HTMLElement | undefined} */
const firstControl = (q) =>
  ["input:checked", "input, textarea", "button, [tabindex]"].map((kind) => q.querySelector(kind)).find(Boolean);

/** @param {Question[]} questions @param {(q: Question) => Widget} widget */
export function collect(questions, widget) {
  /** @type {Answers} */
  const answers = {};
  for (const q of questions) {
    const value = widget(q).read(q);
    if (value !== null) (answers[q.dataset.position] ??= {})[q.dataset.question] = value;
  }
  return answers;
}

/** @param {Question} q @param {string} message */
export function mark(q, message) {
  q.classList.add("wrong");
  const error = q.querySelector(".err");
  error.lastElementChild.textContent = message;
  error.hidden = false;
  // A short sentence uses the gap above the question, so that nothing moves; a long one needs lines of its own.
  error.classList.remove("long");
  error.classList.toggle("long", error.offsetHeight > 1.5 * parseFloat(getComputedStyle(error).lineHeight));
}

/** @param {Question} q */
export function unmark(q) {
  q.classList.remove("wrong");
  q.querySelector(".err").hidden = true;
}

// A text field fires `change` when it loses focus, and a change removes error marks. So blur the field before marking.
export function leaveField() {
  const field = /** @type {HTMLElement} */ (document.activeElement);
  if (!field?.matches("textarea, input[type=text]")) return;
  field.blur();
  field.focus();
}

// Makes answers read-only.
/** @param {Question} q */
export function lock(q) {
  q.classList.add("locked");
  for (const control of q.querySelectorAll("input, textarea, select, button")) control.disabled = true;
  for (const stop of q.querySelectorAll("[tabindex]")) stop.removeAttribute("tabindex");
}
