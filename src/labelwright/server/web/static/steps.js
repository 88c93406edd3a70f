// The steps of a task: one for each item, shown one at a time; the reading pane follows.
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

export const steps = all(".step");
const readings = all(".item");
const jumps = all("#jump button");
const ticks = all("#ticks i");
let now = 0;

export const current = () => steps[now];
export const isLast = () => now === steps.length - 1;
export const indexOf = (element) => steps.indexOf(element.closest(".step"));
export const target = () =>
  document.getElementById(`target-${current().dataset.step}`) ?? document.getElementById(`passage-${current().dataset.step}`);

// Shows a step and its item; returns whether the step changed.
/** @param {number} to */
export function go(to) {
  if (to < 0 || to >= steps.length || to === now) return false;
  now = to;
  const position = current().dataset.step;
  steps.forEach((step, n) => (step.hidden = n !== now));
  // A step without an item, such as a closing question, does not change the reading pane.
  const reading = readings.find((item) => item.dataset.items.split(" ").includes(position));
  if (reading) for (const item of readings) item.hidden = item !== reading;
  for (const pane of all("[data-pane]")) pane.scrollTop = 0;
  if (readings.length > 1) scrollTo(0, 0);
  else target()?.scrollIntoView({ block: "center" });
  return true;
}

// Marks the answered steps and the current step.
/** @param {(step: HTMLElement) => boolean} isAnswered @param {Record<string, string>} texts */
export function draw(isAnswered, texts) {
  target()?.classList.add("now");
  if (steps.length < 2) return;
  $("#step").textContent = now + 1;
  $("#back").hidden = now === 0;
  $("#submit").firstElementChild.textContent = isLast() ? texts.submit : texts.next;
  steps.forEach((step, n) => {
    const done = isAnswered(step);
    ticks[n].className = n === now ? "now" : done ? "done" : "";
    jumps[n].className = done ? "done" : "";
    jumps[n].setAttribute("aria-label", done ? texts.stepDone.replace("{n}", String(n + 1)) : n + 1);
    n === now ? jumps[n].setAttribute("aria-current", "step") : jumps[n].removeAttribute("aria-current");
  });
  for (const marked of all(".target")) marked.classList.toggle("now", marked === target());
}
