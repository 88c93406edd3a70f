// Saves and submits answers, and shows the result. The server's revision is authoritative.
// Requests do not name the rater: the visit token comes with the page and is sent in a header.
import { collect, fill, questions } from "./asked.js";
import { complete, goToWrong } from "./moving.js";
import { $, page, texts } from "./page.js";
import { mark } from "./questions.js";
import { say } from "./questions/shared/saying.js";
import { typingFacts, watchTyping } from "./typing.js";

const RETRY_SECONDS = [1, 2, 4, 8, 15];
const TYPING_PAUSE = 1500;

let revision = page.revision;
/** @type {{id: string, text: string, sending?: boolean} | null} a save that is being sent or waits for a retry */
let pending = null;
/** @type {string | null} the answers stored on the server */
let savedText = null;
let savedAt = page.revision ? Date.now() : null;
let retries = 0;
let retryTimer = null;
let typingTimer = null;
export let submitting = false;
export let readOnly = false;

// The database does not keep the order of an answer's parts, so read the initial answers back from the page.
export function begin() {
  fill(page.answers);
  savedText = JSON.stringify(collect());
  watchTyping();
}

export const isUnsaved = () => JSON.stringify(collect()) !== savedText;
export const isSaving = () => pending !== null;

// ---- requests ---------------------------------------------------------------

/** @param {string} method @param {string} path @param {object} [body] */
export async function call(method, path, body) {
  if (page.preview) return { ok: true, reply: { revision: revision + 1 } }; // a requester's preview stores nothing
  const response = await fetch(path, {
    method,
    credentials: "omit",
    headers: {
      "X-Labelwright-Visit": page.visit,
      "Content-Type": "application/json",
      "Accept-Language": document.documentElement.lang, // errors are in the language of the page
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const reply = await response.json();
  if (response.status >= 500) throw new Error(reply.code);
  return { ok: response.ok, reply };
}

const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

export async function save() {
  clearTimeout(typingTimer);
  if (readOnly || submitting || pending?.sending) return;
  const text = JSON.stringify(collect());
  if (text === savedText && !pending) return;
  // A save without a reply is sent again unchanged, with the same ID; later changes follow in the next save.
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

// Saves text when the rater pauses typing.
export function saveSoon() {
  clearTimeout(typingTimer);
  typingTimer = setTimeout(save, TYPING_PAUSE);
}

function saved(reply) {
  revision = reply.revision;
  savedText = pending.text;
  pending = null;
  savedAt = Date.now();
  showAge();
  if (isUnsaved()) save();
}

function refused(reply) {
  if (submitting) return; // the submission reports the result
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

export async function submit() {
  if (submitting || readOnly || !complete(questions)) return;
  submitting = true;
  $("#submit").setAttribute("aria-disabled", "true");
  showSaved(texts.sending);
  try {
    const { ok, reply } = await call("POST", "/t/submit", { answers: collect(), ...typingFacts() });
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

// Asks before the task is given back; a page that is read-only has nothing to give back.
export function askToStop() {
  if (readOnly) return location.assign(page.stopped);
  const asks = $("#stopping").toggleAttribute("hidden") === false;
  $("#stop").setAttribute("aria-expanded", String(asks));
  $(asks ? "#stop-not" : "#stop").focus();
}

export async function stop() {
  const returned = await call("POST", "/t/return").catch(() => null);
  if (returned) location.assign(page.stopped);
  else notice(texts.noStop);
}

// A page restored from the browser's cache may be out of date.
export async function reread() {
  try {
    const { ok, reply } = await call("GET", "/t/draft");
    if (!ok || reply.state !== "open") return location.replace(page.home);
    if (reply.revision !== revision) refused({ ...reply, code: "stale_revision", message: texts.newer });
  } catch {
    showSaved(texts.offline, "off");
  }
}

// ---- messages to the rater ---------------------------------------------------

/** @param {string} text @param {"" | "ok" | "off"} [kind] */
function showSaved(text, kind = "") {
  if (kind === "off" && $("#saved-text").textContent !== text) $("#say").textContent = text;
  $("#saved").className = `saved ${kind}`;
  if ($("#saved-text").textContent !== text) $("#saved-text").textContent = text;
}

export function showAge() {
  if (pending || savedAt === null || readOnly) return;
  const seconds = Math.round((Date.now() - savedAt) / 1000);
  const age = seconds < 60 ? say(texts.savedSeconds, { n: seconds }) : say(texts.savedMinutes, { n: Math.round(seconds / 60) });
  showSaved(seconds < 5 ? texts.savedNow : age, "ok");
}

export function notice(text) {
  $("#notice-text").textContent = text;
  $("#notice").hidden = false;
}

/** @param {string} text @param {string} [next] where the rater continues */
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

/** @param {Problem[]} problems */
function showProblems(problems) {
  for (const problem of problems) {
    const q = questions.find((x) => x.dataset.question === problem.question && Number(x.dataset.position) === problem.position);
    q ? mark(q, problem.message) : notice(problem.message);
  }
  goToWrong();
}
