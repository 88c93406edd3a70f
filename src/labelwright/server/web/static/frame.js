// The frame of the requester's pages: menus, the pages of a study on a phone, confirmations and the status line.

// The server writes times in the browser's time zone from the next page on, unless the profile names another.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) document.cookie = `labelwright_zone=${zone}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;

const menus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.removeAttribute("open");
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  }
});
// A menu closes when the focus or a click goes elsewhere.
for (const kind of ["click", "focusin"])
  document.addEventListener(kind, (event) => {
    for (const menu of menus()) if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
  });

const here = document.querySelector(".pages .here");
here?.addEventListener("click", () => here.setAttribute("aria-expanded", String(here.getAttribute("aria-expanded") !== "true")));

document.addEventListener("reset", (event) => {
  const details = /** @type {HTMLElement} */ (event.target).closest("details.confirm");
  details?.removeAttribute("open");
  details?.querySelector("summary").focus();
});

// A live region is read out when it changes, not when it is there from the start.
const said = document.querySelector("[data-status] p");
if (said) {
  const text = said.textContent;
  said.textContent = "";
  requestAnimationFrame(() => (said.textContent = text));
}

// Copies an address beside the button. Pages without https have no clipboard; there the address is selected.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const address = document.getElementById(button.dataset.copy);
  button.removeAttribute("hidden");
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard?.writeText(address.textContent.trim()).then(() => true, () => false);
    if (!copied) getSelection().selectAllChildren(address);
    button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
  });
}

document.documentElement.dataset.scripted = "";
