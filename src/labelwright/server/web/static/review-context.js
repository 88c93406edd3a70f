// One key for each verdict. Keys pressed in a text field are typed as usual.
const byId = (id) => document.getElementById(id);
const [right, wrong, repair, save, text, repairing, choices] =
  ["right", "wrong", "repair", "save", "text", "repairing", "choices"].map(byId);

function setRepairing(on) {
  if (!choices) return;
  repairing.hidden = !on;
  save.hidden = !on;
  choices.hidden = on;
  (on ? text : repair).focus();
}

repair?.addEventListener("click", () => setRepairing(true));

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !save.hidden) {
    event.preventDefault();
    save.click();
    return;
  }
  if (event.key === "Escape") setRepairing(false);
  if (event.target === text || event.ctrlKey || event.metaKey || event.altKey) return;
  const press = { 1: () => right?.click(), 2: () => wrong?.click(), 3: () => setRepairing(true) }[event.key];
  if (press && !choices?.hidden) {
    event.preventDefault();
    press();
  }
});

if (!choices) text.focus();
document.documentElement.dataset.ready = "";
