// The page of an item: J and K go to the next and the previous item of the list.

/** @param {KeyboardEvent} event */
function follow(event) {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const link = document.querySelector(`a[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (link instanceof HTMLAnchorElement) link.click();
}

document.addEventListener("keydown", follow);
