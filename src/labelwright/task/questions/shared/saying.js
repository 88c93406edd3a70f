// Fills the values into a sentence from the template.
/** @param {string} sentence @param {Values} [values] */
export const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
