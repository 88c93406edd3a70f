// Worked examples: the real questions with the right answers filled in, read-only.
import { load, lock } from "./questions.js";

const answers = JSON.parse(document.getElementById("worked").textContent);
for (const example of document.querySelectorAll(".worked")) {
  const { questions, widget } = await load(example);
  for (const q of questions) {
    widget(q).write(q, answers[q.dataset.position][q.dataset.question]);
    lock(q);
  }
}
document.documentElement.dataset.worked = "";
