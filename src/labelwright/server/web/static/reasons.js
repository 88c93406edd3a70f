// Reasons for verdicts: templates fill the field, and what they leave open must be replaced before the form is sent.

const BLANK = /\[[^[\]]*\]/;
const field = () => /** @type {HTMLTextAreaElement} */ (document.getElementById("why"));

// Puts a template into the field and selects its first blank.
export function fill(chip) {
  for (const other of document.querySelectorAll(".chip")) other.setAttribute("aria-pressed", String(other === chip));
  field().value = chip.dataset.template;
  point();
}

// Moves to the first blank of the reason, or to its end, and says what is missing.
export function point() {
  const why = field(), blank = BLANK.exec(why.value);
  why.focus();
  if (blank) why.setSelectionRange(blank.index, blank.index + blank[0].length);
  else why.setSelectionRange(why.value.length, why.value.length);
}

export const isComplete = () => field().value.trim() !== "" && !BLANK.test(field().value);

export function say(text) {
  document.getElementById("need").textContent = text;
}

// What is missing before a verdict against the rater or the data can be sent.
export const missing = () => (BLANK.test(field().value) ? "Replace the part in square brackets." : "Write a reason: the rater reads it.");
