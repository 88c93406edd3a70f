// A sentence of the template with its values.
export const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
