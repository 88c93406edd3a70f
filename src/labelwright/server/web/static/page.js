// Data that the server put into the page: addresses, saved answers, and texts for the rater.

export const page = JSON.parse(document.getElementById("page").textContent);
export const texts = page.texts;
export const $ = (selector, root = document) => root.querySelector(selector);
