// Explanation of a choice: ticked reasons and free text. One block for each option that asks for an explanation.

/** @typedef {{reasons?: string[], words?: string}} Explanation as stored; empty parts are left out */

/** @type {(root: ParentNode, option: string | number) => HTMLElement | null} */
const block = (root, option) => root.querySelector(`[data-why="${option}"]`);

// Shows the block of the chosen option and hides the others, which are then not collected.
export function showExplanation(root, option) {
  for (const why of root.querySelectorAll("[data-why]")) why.hidden = why.dataset.why !== String(option);
}

/** @param {ParentNode} root @param {string | number} option @returns {Explanation | null} */
export function readExplanation(root, option) {
  const why = block(root, option);
  if (!why) return null;
  const reasons = [...why.querySelectorAll("[data-reason]:checked")].map((input) => input.dataset.reason);
  const words = why.querySelector("textarea")?.value.trim() ?? "";
  const found = { ...(reasons.length && { reasons }), ...(words && { words }) };
  return Object.keys(found).length ? found : null;
}

// Whether the explanation is complete: given if required, and within the word limits.
export function isExplained(root, option) {
  const why = block(root, option);
  const given = readExplanation(root, option);
  if (!why || !given) return why?.dataset.need !== "required";
  const words = given.words?.split(/\s+/).length;
  return !words || (words >= Number(why.dataset.minWords) && words <= Number(why.dataset.maxWords));
}

// Fills in the block of the option and clears the others.
/** @param {ParentNode} root @param {string | number} option @param {Explanation} [value] */
export function writeExplanation(root, option, value) {
  for (const why of root.querySelectorAll("[data-why]")) {
    const given = why.dataset.why === String(option) ? value : null;
    for (const input of why.querySelectorAll("[data-reason]")) input.checked = Boolean(given?.reasons?.includes(input.dataset.reason));
    const words = why.querySelector("textarea");
    if (words) words.value = given?.words ?? "";
  }
  showExplanation(root, option);
}
