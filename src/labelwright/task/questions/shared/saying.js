// A sentence of the template with its values.
/** @param {string} sentence @param {Values} [values] */
export const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
