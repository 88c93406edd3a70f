// A rater's page: keeps what is answered, saves it, hands it in. The server's revision is the truth.
// Nothing here says who the rater is: the visit token came with the page and travels in a header.

const page = JSON.parse(document.getElementById("page").textContent);
const $ = (selector, root = document) => root.querySelector(selector);
const questions = [...document.querySelectorAll(".q")];
const types = [...new Set(questions.map((q) => q.dataset.type))];
const modules = await Promise.all(types.map((type) => import(`/static/questions/${type}/widget.js`)));
const widgets = Object.fromEntries(types.map((type, i) => [type, modules[i]]));
const widget = (q) => widgets[q.dataset.type];

const RETRY_SECONDS = [1, 2, 4, 8, 15];
const TYPING_PAUSE = 1500;

let revision = page.revision;
let pending = null; // a save that is on its way or waits to be sent again: {id, text}
let savedText = JSON.stringify(page.answers);
let savedAt = page.revision ? Date.now() : null;
let retries = 0;
let retryTimer = null;
let typingTimer = null;
let submitting = false;
let readOnly = false;

// ---- answers ---------------------------------------------------------------

function collect() {
  const answers = {};
  for (const q of questions) {
    const value = widget(q).read(q);
    if (value !== null) (answers[q.dataset.position] ??= {})[q.dataset.question] = value;
  }
  return answers;
}

function fill(answers) {
  for (const q of questions) widget(q).write(q, answers[q.dataset.position]?.[q.dataset.question] ?? null);
  countAnswered();
}

function countAnswered() {
  const required = questions.filter((q) => "required" in q.dataset);
  const answered = required.filter((q) => widget(q).read(q) !== null);
  $("#answered").textContent = `${answered.length} of ${required.length} answered`;
}

// ---- talking to the server -------------------------------------------------

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    credentials: "omit",
    headers: { "X-Turnwise-Visit": page.visit, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const reply = await response.json();
  if (response.status >= 500) throw new Error(reply.code);
  return { ok: response.ok, reply };
}

const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

async function save() {
  clearTimeout(typingTimer);
  if (readOnly || submitting || pending?.sending) return;
  const text = JSON.stringify(collect());
  if (text === savedText && !pending) return;
  // A save whose reply was lost is sent again as it was, under its own id; what was typed since follows it.
  pending ??= { id: newId(), text };
  pending.sending = true;
  showSaved("Saving");
  try {
    const { ok, reply } = await call("PUT", "/t/save", {
      save_id: pending.id,
      revision,
      answers: JSON.parse(pending.text),
    });
    retries = 0;
    ok ? saved(reply) : refused(reply);
  } catch {
    pending.sending = false;
    showSaved("Offline, kept here", "off");
    clearTimeout(retryTimer);
    retryTimer = setTimeout(save, 1000 * RETRY_SECONDS[Math.min(retries++, RETRY_SECONDS.length - 1)]);
  }
}

function saved(reply) {
  revision = reply.revision;
  savedText = pending.text;
  pending = null;
  savedAt = Date.now();
  showAge();
  if (JSON.stringify(collect()) !== savedText) save();
}

function refused(reply) {
  if (submitting) return; // the submission says what became of the work
  pending = null;
  if (reply.code === "stale_revision") {
    revision = reply.revision ?? 0;
    savedText = JSON.stringify(reply.answers ?? {});
    fill(reply.answers ?? {});
    notice(reply.message);
    savedAt = Date.now();
    showAge();
  } else if (reply.code === "newer_visit" || reply.code === "work_ended" || reply.code === "already_submitted" || reply.code === "unknown_visit") {
    freeze(reply.message);
  } else {
    showSaved("Not saved", "off");
    showProblems(reply.problems ?? []);
  }
}

async function submit() {
  if (submitting || readOnly || !complete()) return;
  submitting = true;
  $("#submit").setAttribute("aria-disabled", "true");
  showSaved("Sending");
  try {
    const { ok, reply } = await call("POST", "/t/submit", { answers: collect() });
    if (ok) return location.replace(page.home);
    if (reply.problems) showProblems(reply.problems);
    else if (reply.code === "bad_request" || reply.code === "too_large") notice(reply.message);
    else freeze(reply.message, page.home);
    showSaved("Not sent", "off");
  } catch {
    notice("Your answers are kept here. The server did not answer; press Submit again in a moment.");
    showSaved("Not sent yet", "off");
  }
  submitting = false;
  $("#submit").removeAttribute("aria-disabled");
}

async function stop() {
  if (readOnly) return location.assign(page.stopped);
  const returned = await call("POST", "/t/return").catch(() => null);
  if (returned) location.assign(page.stopped);
  else notice("Your answers are kept here. The server did not answer; press Stop again in a moment.");
}

// A sign of life keeps the place; where it is lost, the rater is told at once and not after the work.
async function beat() {
  if (readOnly || submitting || document.hidden) return;
  const told = await call("POST", "/t/heartbeat").catch(() => null);
  if (!told || submitting || readOnly) return;
  const { ok, reply } = told;
  if (!ok || reply.state === "read_only" || reply.state === "ended") return save();
  if (reply.state === "gone") return freeze(reply.message, page.home);
  secondsLeft = reply.seconds_left + Math.round((performance.now() - startedAt) / 1000);
  tick();
}

// A page that comes back from the browser's cache may be old.
async function reread() {
  try {
    const { ok, reply } = await call("GET", "/t/draft");
    if (!ok || reply.state !== "open") return location.replace(page.home);
    if (reply.revision !== revision) refused({ ...reply, code: "stale_revision", message: "Newer answers were saved elsewhere. They are shown now." });
  } catch {
    showSaved("Offline, kept here", "off");
  }
}

// ---- what the rater sees ----------------------------------------------------

function showSaved(text, kind = "") {
  $("#saved").className = `saved ${kind}`;
  if ($("#saved-text").textContent !== text) $("#saved-text").textContent = text;
}

function showAge() {
  if (pending || savedAt === null || readOnly) return;
  const seconds = Math.round((Date.now() - savedAt) / 1000);
  // The words change rarely, so that a screen reader is not told every second.
  showSaved(seconds < 10 ? "Saved just now" : seconds < 60 ? "Saved" : `Saved ${Math.round(seconds / 60)} min ago`);
}

function notice(text) {
  $("#notice-text").textContent = text;
  $("#notice").hidden = false;
}

function freeze(text, next) {
  readOnly = true;
  document.body.classList.add("read-only");
  for (const control of document.querySelectorAll("#f input, #f textarea")) control.disabled = true;
  $("#submit").setAttribute("aria-disabled", "true");
  notice(text);
  showSaved("Read-only", "off");
  if (next) {
    const link = Object.assign(document.createElement("a"), { href: next, textContent: "Go on" });
    $("#notice-text").append(" ", link);
  }
}

function mark(q, message) {
  q.classList.add("wrong");
  const error = $(".err", q);
  error.lastElementChild.textContent = message;
  error.hidden = false;
}

function unmark(q) {
  q.classList.remove("wrong");
  $(".err", q).hidden = true;
}

function showProblems(problems) {
  for (const problem of problems) {
    const q = questions.find((x) => x.dataset.question === problem.question && Number(x.dataset.position) === problem.position);
    q ? mark(q, problem.message) : notice(problem.message);
  }
  goToWrong();
}

function complete() {
  questions.forEach(unmark);
  for (const q of questions) if ("required" in q.dataset && widget(q).read(q) === null) mark(q, q.dataset.missing);
  return goToWrong();
}

function goToWrong() {
  const wrong = questions.filter((q) => q.classList.contains("wrong"));
  if (!wrong.length) return true;
  activate(wrong[0]);
  focusOn(wrong[0]);
  $("#say").textContent = wrong.length === 1 ? "1 question is still open." : `${wrong.length} questions are still open.`;
  return false;
}

const focusOn = (q) => $("input:checked, input, textarea", q)?.focus();

function activate(q) {
  for (const other of questions) other.toggleAttribute("data-active", other === q);
}

let secondsLeft = page.secondsLeft;
function tick() {
  showAge();
  const left = secondsLeft - Math.round((performance.now() - startedAt) / 1000);
  $("#left").textContent = left > 90 ? `${Math.ceil(left / 60)} min` : left > 0 ? `${Math.ceil(left / 10) * 10} s` : "Time is up";
  $("#left-word").hidden = left <= 0;
  $("#late").hidden = left > 0;
}

// A pane that overflows must be reachable by keyboard; one that does not stays out of the tab order.
function reachPanes() {
  for (const pane of document.querySelectorAll("[data-pane]")) {
    const overflows = pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY === "auto";
    overflows ? (pane.tabIndex = 0) : pane.removeAttribute("tabindex");
  }
}

function toggleInstructions() {
  const shown = $("#instructions").toggleAttribute("hidden") === false;
  $("#help").setAttribute("aria-expanded", String(shown));
  if (shown) $("#instructions").scrollIntoView({ block: "nearest" });
  reachPanes();
}

// ---- events -----------------------------------------------------------------

document.addEventListener("focusin", (event) => {
  const q = event.target.closest(".q");
  if (q) activate(q);
});
document.addEventListener("change", (event) => answered(event.target.closest(".q"), true));
document.addEventListener("input", (event) => answered(event.target.closest(".q"), event.target.type === "radio"));

function answered(q, whole) {
  if (!q) return;
  unmark(q);
  widget(q).changed?.(q);
  countAnswered();
  clearTimeout(typingTimer);
  whole ? save() : (typingTimer = setTimeout(save, TYPING_PAUSE));
}

document.addEventListener("keydown", (event) => {
  const withControl = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && withControl) {
    event.preventDefault();
    return submit();
  }
  if (withControl || event.altKey || event.target.matches("textarea, input[type=text]")) return;
  const q = $(".q[data-active]");
  if (/^[1-9]$/.test(event.key) && q && widget(q).key(q, event.key)) {
    const next = questions[questions.indexOf(q) + 1];
    if (next) {
      activate(next);
      focusOn(next);
      event.preventDefault(); // or the digit would be typed into the next question
    }
  } else if (event.key.toLowerCase() === "t") $("#target").scrollIntoView({ block: "center" });
  else if (event.key === "?") toggleInstructions();
});
$("#f").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
$("#help").addEventListener("click", toggleInstructions);
$("#stop").addEventListener("click", stop);
addEventListener("online", save);
addEventListener("pageshow", (event) => event.persisted && reread());
addEventListener("resize", reachPanes);
addEventListener("beforeunload", (event) => {
  if (!submitting && !readOnly && JSON.stringify(collect()) !== savedText) {
    save();
    event.preventDefault();
  }
});

const startedAt = performance.now();
fill(page.answers);
activate(questions[0]);
tick();
setInterval(tick, 5000);
setInterval(beat, 30000);
setInterval(() => !pending && save(), 20000);
reachPanes();
document.documentElement.dataset.ready = "";
