// A rater's page: keeps what is answered, saves it, hands it in. The server's revision is the truth.
// Nothing here says who the rater is: the visit token came with the page and travels in a header.

import { collect as collectFrom, leaveField, load, mark, unmark } from "./questions.js";
import { current, draw, go, indexOf, isLast, steps, target } from "./steps.js";

const page = JSON.parse(document.getElementById("page").textContent);
const texts = page.texts;
const say = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const $ = (selector, root = document) => root.querySelector(selector);
const { questions, widget, isWhole, focusOn, activate } = await load($("#f"));

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
let gone = false; // the place is somebody else's

// ---- answers ---------------------------------------------------------------

const shown = () => questions.filter((q) => !q.hidden);

// Shows each question whose `when` holds and hides the others, which are then neither required nor collected.
// The server decides the same (task/when.py); a `when` looks back only, so one pass in order is enough.
function showAsked() {
  for (const q of questions) {
    if (!q.dataset.when) continue;
    const { question, codes, answered } = JSON.parse(q.dataset.when);
    const other = shown().find((x) => x.dataset.question === question && x.dataset.position === q.dataset.position);
    const value = other ? widget(other).read(other) : null;
    const chosen = [value?.choice ?? value].flat().map(Number);
    q.hidden = answered === null ? value === null || !chosen.some((code) => codes.includes(code)) : (value !== null) !== answered;
    q.disabled = q.hidden;
    if (q.hidden) unmark(q);
  }
}

const collect = () => collectFrom(shown(), widget);

function fill(answers) {
  for (const q of questions) widget(q).write(q, answers[q.dataset.position]?.[q.dataset.question] ?? null);
  showAsked();
  showProgress();
}

const isOpen = (q) => !q.hidden && ("required" in q.dataset || widget(q).read(q) !== null) && !isWhole(q);
const within = (step) => questions.filter((q) => step.contains(q));

// A widget whose answer has several parts counts those that are done (`count`).
function showProgress() {
  const required = shown().filter((q) => "required" in q.dataset);
  const counts = required.map((q) => widget(q).count?.(q) ?? { done: isOpen(q) ? 0 : 1, all: 1 });
  const sum = (what) => counts.reduce((total, each) => total + each[what], 0);
  $("#answered").textContent = say(texts.answered, { n: sum("done"), total: sum("all") });
  draw((step) => !within(step).some(isOpen), texts);
}

// ---- talking to the server -------------------------------------------------

async function call(method, path, body) {
  if (page.preview) return { ok: true, reply: { revision: revision + 1 } }; // a requester looks; nothing is kept
  const response = await fetch(path, {
    method,
    credentials: "omit",
    headers: {
      "X-Turnwise-Visit": page.visit,
      "Content-Type": "application/json",
      "Accept-Language": document.documentElement.lang, // what is wrong is said in the language of the page
    },
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
  showSaved(texts.saving);
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
    showSaved(texts.offline, "off");
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
    fill(reply.answers ?? {});
    savedText = JSON.stringify(collect());
    notice(reply.message);
    savedAt = Date.now();
    showAge();
  } else if (reply.code === "newer_visit" || reply.code === "work_ended" || reply.code === "already_submitted" || reply.code === "unknown_visit") {
    freeze(reply.message);
  } else {
    showSaved(texts.notSaved, "off");
    showProblems(reply.problems ?? []);
  }
}

// The main button: on to the next step, or hand the task in.
function advance() {
  if (isLast() || readOnly) return submit();
  if (complete(within(current()))) showStep(indexOf(current()) + 1);
}

async function submit() {
  if (submitting || readOnly || !complete(questions)) return;
  submitting = true;
  $("#submit").setAttribute("aria-disabled", "true");
  showSaved(texts.sending);
  try {
    const { ok, reply } = await call("POST", "/t/submit", { answers: collect() });
    if (ok) return location.replace(page.home);
    if (reply.problems) showProblems(reply.problems);
    else if (reply.code === "bad_request" || reply.code === "too_large") notice(reply.message);
    else freeze(reply.message, page.home);
    showSaved(texts.notSent, "off");
  } catch {
    notice(texts.noSubmit);
    showSaved(texts.notSentYet, "off");
  }
  submitting = false;
  $("#submit").removeAttribute("aria-disabled");
}

async function stop() {
  if (readOnly) return location.assign(page.stopped);
  const returned = await call("POST", "/t/return").catch(() => null);
  if (returned) location.assign(page.stopped);
  else notice(texts.noStop);
}

// A sign of life keeps the place; where it is lost, the rater is told at once and not after the work.
async function beat() {
  if (gone || readOnly || submitting || document.hidden) return;
  const told = await call("POST", "/t/heartbeat").catch(() => null);
  if (!told || submitting || readOnly) return;
  const { ok, reply } = told;
  if (!ok || reply.state === "read_only" || reply.state === "ended") return save();
  if (reply.state === "gone") {
    gone = true; // what is there may still be sent; the server keeps it
    return notice(reply.message);
  }
  secondsLeft = reply.seconds_left + Math.round((performance.now() - startedAt) / 1000);
  tick();
}

// A page that comes back from the browser's cache may be old.
async function reread() {
  try {
    const { ok, reply } = await call("GET", "/t/draft");
    if (!ok || reply.state !== "open") return location.replace(page.home);
    if (reply.revision !== revision) refused({ ...reply, code: "stale_revision", message: texts.newer });
  } catch {
    showSaved(texts.offline, "off");
  }
}

// ---- what the rater sees ----------------------------------------------------

function showSaved(text, kind = "") {
  if (kind === "off" && $("#saved-text").textContent !== text) $("#say").textContent = text;
  $("#saved").className = `saved ${kind}`;
  if ($("#saved-text").textContent !== text) $("#saved-text").textContent = text;
}

function showAge() {
  if (pending || savedAt === null || readOnly) return;
  const seconds = Math.round((Date.now() - savedAt) / 1000);
  const age = seconds < 60 ? say(texts.savedSeconds, { n: seconds }) : say(texts.savedMinutes, { n: Math.round(seconds / 60) });
  showSaved(seconds < 5 ? texts.savedNow : age);
}

function notice(text) {
  $("#notice-text").textContent = text;
  $("#notice").hidden = false;
}

function freeze(text, next) {
  readOnly = true;
  document.body.classList.add("read-only");
  for (const control of document.querySelectorAll("#f input, #f textarea, #f button")) control.disabled = true;
  $("#submit").setAttribute("aria-disabled", "true");
  notice(text);
  showSaved(texts.readOnly, "off");
  if (next) {
    const link = Object.assign(document.createElement("a"), { href: next, textContent: texts.goOn });
    $("#notice-text").append(" ", link);
  }
}

function showProblems(problems) {
  for (const problem of problems) {
    const q = questions.find((x) => x.dataset.question === problem.question && Number(x.dataset.position) === problem.position);
    q ? mark(q, problem.message) : notice(problem.message);
  }
  goToWrong();
}

function complete(asked) {
  leaveField();
  asked.forEach(unmark);
  for (const q of asked) if (isOpen(q)) mark(q, q.dataset.missing);
  return goToWrong();
}

function goToWrong() {
  const wrong = questions.filter((q) => q.classList.contains("wrong"));
  if (!wrong.length) return true;
  showStep(indexOf(wrong[0]), wrong[0]);
  $("#say").textContent = wrong.length === 1 ? texts.openOne : say(texts.openMany, { n: wrong.length });
  return false;
}

function showStep(to, q = within(steps[to] ?? current())[0]) {
  go(to);
  showProgress();
  reachPanes();
  if (!q) return;
  activate(q);
  focusOn(q);
}

// To the target and back to the question that one came from.
function lookAtTarget() {
  const there = target();
  if (!there) return;
  if (document.activeElement === there) return focusOn($(".q[data-active]"));
  there.scrollIntoView({ block: "center" });
  there.focus({ preventScroll: true });
}

let secondsLeft = page.secondsLeft;
function tick() {
  showAge();
  const left = secondsLeft - Math.round((performance.now() - startedAt) / 1000);
  $("#left").textContent = left <= 0 ? texts.timeUp
    : left > 90 ? say(texts.minutes, { n: Math.ceil(left / 60) }) : say(texts.seconds, { n: Math.ceil(left / 10) * 10 });
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
document.addEventListener("change", (event) => answered(event.target, true));
document.addEventListener("input", (event) => answered(event.target, event.target.type === "radio"));

function answered(control, whole) {
  const q = control.closest(".q");
  if (!q) return;
  unmark(q);
  widget(q).changed?.(q, control);
  showAsked();
  showProgress();
  clearTimeout(typingTimer);
  whole ? save() : (typingTimer = setTimeout(save, TYPING_PAUSE));
}

document.addEventListener("keydown", (event) => {
  const withControl = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && withControl) {
    event.preventDefault();
    return advance();
  }
  if (withControl || event.altKey || event.target.matches("textarea, input[type=text]")) return;
  const q = $(".q[data-active]");
  const digit = /^[1-9]$/.test(event.key) && q;
  if (digit) event.preventDefault(); // or it would be typed into what takes the focus next
  if (digit && widget(q).key(q, event.key)) {
    const asked = within(current()).filter((x) => !x.hidden);
    const next = asked[asked.indexOf(q) + 1];
    if (next) {
      activate(next);
      focusOn(next);
    }
  } else if (event.key.toLowerCase() === "t") lookAtTarget();
  else if (event.key.toLowerCase() === "b") showStep(indexOf(current()) - 1);
  else if (event.key === "?") toggleInstructions();
});
$("#f").addEventListener("submit", (event) => {
  event.preventDefault();
  advance();
});
$("#back")?.addEventListener("click", () => showStep(indexOf(current()) - 1));
$("#jump")?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const box = event.target.closest("details");
  if (button && box) box.open = false;
  if (button) showStep(steps.findIndex((step) => step.dataset.step === button.dataset.go));
});
// A target that is tapped shows its questions.
document.addEventListener("click", (event) => {
  const tapped = event.target.closest(".target");
  const to = tapped ? steps.findIndex((step) => `target-${step.dataset.step}` === tapped.id) : -1;
  if (to >= 0 && steps[to] !== current() && getSelection().isCollapsed) showStep(to);
});
$("#help").addEventListener("click", toggleInstructions);
$("#stop").addEventListener("click", stop);
addEventListener("online", save);
document.addEventListener("visibilitychange", beat);
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
savedText = JSON.stringify(collect()); // the store keeps the parts of an answer in an order of its own
// Where one was is where one goes on: at the first step that is still open.
go(steps.findIndex((step) => within(step).some(isOpen)));
showProgress();
activate(within(current())[0]);
tick();
setInterval(tick, 5000);
setInterval(beat, 30000);
setInterval(() => !pending && save(), 20000);
reachPanes();
document.documentElement.dataset.ready = "";
