// Questions before tasks: about the rater, about a topic, or a quiz that explains mistakes.
import { collect, leaveField, load, mark, unmark } from "./questions.js";

const page = JSON.parse(document.getElementById("sheet").textContent);
const $ = (selector, root = document) => root.querySelector(selector);
const { questions, widget, isWhole, focusOn, activate } = await load($("#f"));
const at = (position, name) =>
  questions.find((q) => q.dataset.position === String(position) && (!name || q.dataset.question === name));
let sending = false;

function notice(text) {
  $("#notice-text").textContent = text;
  $("#notice").hidden = !text;
}

function goToWrong() {
  const wrong = questions.filter((q) => q.classList.contains("wrong"));
  if (wrong.length) focusOn(wrong[0]);
  return !wrong.length;
}

function complete() {
  leaveField();
  questions.forEach(unmark);
  for (const q of questions) if ("required" in q.dataset && !isWhole(q)) mark(q, q.dataset.missing);
  return goToWrong();
}

async function send(answers) {
  if (sending || page.preview) return; // a requester's preview stores nothing
  sending = true;
  notice("");
  try {
    const response = await fetch("/t/before", {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang },
      body: JSON.stringify({ link: page.link, part: page.part, key: page.key, answers }),
    });
    const reply = await response.json();
    if (!response.ok) refused(reply);
    else if (!reply.reasons.length) return location.replace(page.home);
    else explain(reply);
  } catch {
    notice(page.texts.away);
  }
  sending = false;
}

function refused(reply) {
  for (const problem of reply.problems ?? []) {
    const q = at(problem.position, problem.question);
    q ? mark(q, problem.message) : notice(problem.message);
  }
  if (!reply.problems) notice(reply.message);
  goToWrong();
}

// A wrong answer is explained next to the question, and can be changed while attempts are left.
function explain({ reasons, closed, summary }) {
  for (const q of questions) {
    const found = reasons.find((reason) => String(reason.position) === q.dataset.position);
    const why = $(`#why-${q.dataset.position}`);
    why.hidden = false;
    why.className = `note ${found ? "bad" : "good"}`;
    $("[data-word]", why).textContent = found ? page.texts.wrong : page.texts.right;
    $("[data-why]", why).textContent = found ? found.text : "";
  }
  $("#told").textContent = summary;
  $("#send").hidden = closed;
  $("#go-on").hidden = !closed;
  if (closed) return $("#go-on").focus();
  $("#send").textContent = page.texts.again;
  focusOn(at(reasons[0].position));
}

document.addEventListener("focusin", (event) => {
  const q = event.target.closest(".q");
  if (q) activate(q);
});
for (const kind of ["change", "input"])
  document.addEventListener(kind, (event) => {
    const q = event.target.closest(".q");
    if (!q) return;
    unmark(q);
    widget(q).changed?.(q, event.target);
  });
document.addEventListener("keydown", (event) => {
  const withControl = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && withControl && complete()) return send(collect(questions, widget));
  if (withControl || event.altKey || event.target.matches("textarea, input:not([type=radio], [type=checkbox])")) return;
  const q = $(".q[data-active]");
  if (!/^[1-9]$/.test(event.key) || !q || !widget(q).key(q, event.key)) return;
  const next = questions[questions.indexOf(q) + 1];
  if (!next) return;
  focusOn(next);
  event.preventDefault(); // otherwise the digit would be typed into the next question
});
$("#f").addEventListener("submit", (event) => {
  event.preventDefault();
  if (complete()) send(collect(questions, widget));
});
$("#skip")?.addEventListener("click", () => send({}));

for (const q of questions) widget(q).write(q, null);
activate(questions[0]);
document.documentElement.dataset.ready = "";
