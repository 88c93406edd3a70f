// What the server wrote into the page: where things are, what is there already, and the sentences that a rater reads.

export const page = JSON.parse(document.getElementById("page").textContent);
export const texts = page.texts;
export const $ = (selector, root = document) => root.querySelector(selector);
