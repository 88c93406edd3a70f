// A task page: clicks, taps and keys, and the remaining time.
import { activate, focusOn, isOpen, showAsked, showFavoured, showProgress, widget, within } from "./asked.js";
import { complete, goToWrong, lookAtTarget, reachPanes, showStep, showWrong, toggleInstructions } from "./moving.js";
import { $, page, texts } from "./page.js";
import { unmark } from "./questions.js";
import { say } from "./questions/shared/saying.js";
import { askToStop, begin, call, isSaving, isUnsaved, notice, readOnly, reread, save, saveSoon, showAge, stop, submit, submitting } from "./saving.js";
import { current, go, indexOf, isLast, steps } from "./steps.js";

// The main button: go to the next step, or submit the task.
function advance() {
  if (isLast() || readOnly) return submit();
  if (complete(within(current()))) showStep(indexOf(current()) + 1);
}

// ---- the place ----------------------------------------------------------------

const startedAt = performance.now();
let gone = false; // another rater has the place
let secondsLeft = page.secondsLeft;
function tick() {
  showAge();
  const left = secondsLeft - Math.round((performance.now() - startedAt) / 1000);
  $("#left").textContent = left <= 0 ? texts.timeUp
    : left > 90 ? say(texts.minutes, { n: Math.ceil(left / 60) }) : say(texts.seconds, { n: Math.ceil(left / 10) * 10 });
  $("#left-word").hidden = left <= 0;
  $("#late").hidden = left > 0;
}

// A heartbeat keeps the place. If the place is lost, the rater learns it immediately and not after finishing the work.
async function beat() {
  if (gone || readOnly || submitting || document.hidden) return;
  const told = await call("POST", "/t/heartbeat").catch(() => null);
  if (!told || submitting || readOnly) return;
  const { ok, reply } = told;
  if (!ok || reply.state === "read_only" || reply.state === "ended") return save();
  if (reply.state === "gone") {
    gone = true; // the answers can still be sent; the server keeps them
    return notice(reply.message);
  }
  secondsLeft = reply.seconds_left + Math.round((performance.now() - startedAt) / 1000);
  tick();
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
  showWrong();
  widget(q).changed?.(q, control);
  showAsked();
  showProgress();
  whole ? save() : saveSoon();
}

document.addEventListener("keydown", (event) => {
  const withControl = event.ctrlKey || event.metaKey;
  if (event.key === "Escape" && !$("#stopping").hidden) return askToStop();
  if (event.key === "Enter" && withControl) {
    event.preventDefault();
    return advance();
  }
  if (withControl || event.altKey || event.target.matches("textarea, input[type=text]")) return;
  const q = $(".q[data-active]");
  const digit = /^[1-9]$/.test(event.key) && q;
  if (digit) event.preventDefault(); // otherwise it would be typed into the next focused field
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
// Tapping a target shows its questions.
document.addEventListener("click", (event) => {
  const tapped = event.target.closest(".target");
  const to = tapped ? steps.findIndex((step) => `target-${step.dataset.step}` === tapped.id) : -1;
  if (to >= 0 && steps[to] !== current() && getSelection().isCollapsed) showStep(to);
});
$("#help").addEventListener("click", toggleInstructions);
for (const button of [$("#stop"), $("#stop-not")]) button.addEventListener("click", askToStop);
$("#stop-now").addEventListener("click", stop);
$("#sum-go").addEventListener("click", goToWrong);
// At the window, which hears of it after the widgets have changed the open tab.
for (const kind of ["click", "keyup"]) addEventListener(kind, showFavoured);
addEventListener("online", save);
document.addEventListener("visibilitychange", beat);
addEventListener("pageshow", (event) => event.persisted && reread());
addEventListener("resize", reachPanes);
addEventListener("beforeunload", (event) => {
  if (!submitting && !readOnly && isUnsaved()) {
    save();
    event.preventDefault();
  }
});

begin();
// The rater continues at the first unfinished step.
go(steps.findIndex((step) => within(step).some(isOpen)));
showProgress();
activate(within(current())[0]);
tick();
setInterval(tick, 5000);
setInterval(beat, 30000);
setInterval(() => !isSaving() && save(), 20000);
reachPanes();
document.documentElement.dataset.ready = "";
