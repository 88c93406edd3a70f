// The review queue by keyboard: one key for each verdict. The next case is loaded beforehand, so that it is there at
// once; the verdict is sent in the background. If it fails, the page says so and offers the case again.

import { fill, isComplete, missing, point, say } from "./reasons.js";
import { token } from "./requests.js";

const main = document.getElementById("main");
const form = /** @type {HTMLFormElement} */ (document.getElementById("verdict"));
const undo = /** @type {HTMLFormElement} */ (document.getElementById("undo"));
const undoButton = form.querySelector(".undo");
const failed = document.getElementById("failed");
const skipped = [];
let chosen = null;
let next = null;
// Verdicts are sent one after the other, so that taking one back never overtakes it.
let sending = Promise.resolve();

const current = () => /** @type {HTMLElement} */ (document.getElementById("case")).dataset.case ?? "";
const buttons = () => /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll("button[name=choice]")]);

function parse(html) {
  const parts = new DOMParser().parseFromString(html, "text/html");
  return { queue: parts.getElementById("queue"), case: parts.getElementById("case"), evid: parts.getElementById("evid") };
}

// Loads the case after this one; the server claims it for this reviewer.
function preload(left = "") {
  const leave = [current(), ...skipped].filter(Boolean).join(",");
  const address = new URL(main.dataset.next, location.href);
  address.searchParams.set("skip", leave);
  if (left) address.searchParams.set("left", left);
  next = fetch(address).then(async (response) => {
    if (!response.ok || response.redirected) throw new Error(String(response.status));
    return parse(await response.text());
  });
  next.then(show_queue, () => {}).then(() => {
    document.documentElement.dataset.next = "";
  });
}

function show_queue(parts) {
  document.getElementById("queue").replaceWith(parts.queue.cloneNode(true));
  mark_current();
}

function mark_current() {
  for (const link of document.querySelectorAll("#queue a[data-case]")) {
    link.toggleAttribute("aria-current", link.getAttribute("data-case") === current());
    if (link.hasAttribute("aria-current")) link.setAttribute("aria-current", "true");
  }
}

// Shows the case that was loaded; without one, goes to the page again.
async function advance(left = "") {
  choose(null);
  delete document.documentElement.dataset.next;
  const parts = await next?.catch(() => null);
  if (!parts) {
    await sending;
    location.assign(main.dataset.here);
    return;
  }
  document.getElementById("case").replaceWith(parts.case);
  document.getElementById("evid").replaceWith(parts.evid);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("case"));
  field.value = current();
  form.hidden = !current();
  for (const button of buttons()) {
    const proposed = button.value === document.getElementById("case").dataset.proposed;
    button.classList.toggle("on", proposed);
    button.querySelector(".tag").toggleAttribute("hidden", !proposed);
  }
  mark_current();
  document.documentElement.dataset.shown = current();
  // Screen readers say which case it is, and a text field that is gone does not keep the keys.
  document.getElementById("ch").focus({ preventScroll: true });
  if (current()) sending.then(() => preload(left));
}

async function post(fields) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: token(), ...fields });
  const response = await fetch(form.action, { method: "POST", body, keepalive: true, headers: { "X-Requested-With": "fetch" } }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!answer) throw new Error("The server did not answer, so the verdict may not have arrived.");
  if (!response.ok) throw new Error(`Nothing was changed: ${answer.error}`);
  return answer;
}

function fail(error, id) {
  failed.hidden = false;
  const link = Object.assign(document.createElement("a"), { href: `?case=${id}`, textContent: "Go back to the case" });
  failed.firstElementChild.replaceChildren(`${error.message} `, link);
  form.hidden = false;
}

// Sends a form about the current case and shows the next one.
function send(fields) {
  const id = current(), rater = document.getElementById("case").dataset.rater;
  failed.hidden = true;
  say("");
  sending = sending.then(() => post({ case: id, ...fields })).then(
    (answer) => answer.decision && remember(answer.decision, rater),
    (error) => fail(error, id),
  );
  advance();
}

function remember(decision, rater) {
  /** @type {HTMLInputElement} */ (undo.elements.namedItem("decision")).value = decision;
  undoButton.querySelector("span").textContent = rater;
  undoButton.hidden = false;
}

function choose(button) {
  chosen = button;
  for (const each of buttons()) each.setAttribute("aria-pressed", String(each === button));
  document.getElementById("confirm").hidden = !button;
}

// A verdict without a complete reason is chosen first; it is sent with Ctrl and Enter once the reason is written.
function decide(button) {
  const choice = button.value;
  if (choice === "fine") return send({ do: "decide", choice, reason: "" });
  if (choice === "reject" && chosen !== button) return begin_rejection(button);
  if (!isComplete()) {
    choose(button);
    say(missing());
    return point();
  }
  const reason = /** @type {HTMLTextAreaElement} */ (document.getElementById("why")).value;
  return send({ do: "decide", choice, reason });
}

// A rejection is never sent with the reason that a rule proposes: the reviewer says what was wrong in this task.
function begin_rejection(button) {
  choose(button);
  const why = /** @type {HTMLTextAreaElement} */ (document.getElementById("why"));
  const chip = document.querySelector(".chip");
  if (why.value === why.defaultValue && chip) fill(chip);
  say(isComplete() ? "" : missing());
  point();
}

async function take_back() {
  if (undoButton.hidden) return;
  await sending;
  undo.submit();
}

function skip() {
  skipped.push(current());
  advance(current());
}

function press(button) {
  const key = button.dataset.key;
  if (key === "S") send({ do: "pass" });
  else if (key === "U") take_back();
  else if (key === "J") skip();
  else if (button.classList.contains("chip")) fill(button);
  else decide(button);
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-key], #confirm") : null;
  if (!button) return;
  event.preventDefault();
  if (button.id === "confirm") decide(chosen);
  else press(button);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    const proposed = form.querySelector("button.on");
    if (chosen ?? proposed) decide(chosen ?? proposed);
    return;
  }
  if (event.key === "Escape") {
    choose(null);
    document.getElementById("ch").focus();
    return;
  }
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || form.hidden) return;
  const button = document.querySelector(`button[data-key="${CSS.escape(event.key.toUpperCase())}"]`);
  if (button instanceof HTMLButtonElement) {
    event.preventDefault();
    press(button);
  }
});

document.querySelector("select[data-sends]")?.addEventListener("change", (event) => /** @type {HTMLSelectElement} */ (event.target).form.submit());

document.documentElement.dataset.shown = current();
if (current()) preload();
