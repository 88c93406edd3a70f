// One key for each verdict. Keys typed into the text are text.
const byId = (id) => document.getElementById(id);
const [right, wrong, repair, save, text, repairing] =
  ["right", "wrong", "repair", "save", "text", "repairing"].map(byId);

function openRepair() {
  repairing.hidden = false;
  save.hidden = false;
  repair.setAttribute("aria-expanded", "true");
  text.focus();
}

repair?.addEventListener("click", openRepair);

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !save.hidden) {
    event.preventDefault();
    save.click();
    return;
  }
  if (event.target === text || event.ctrlKey || event.metaKey || event.altKey) return;
  const press = { 1: () => right?.click(), 2: () => wrong?.click(), 3: repair && openRepair }[event.key];
  if (press) {
    event.preventDefault();
    press();
  }
});

if (!right) text.focus();
