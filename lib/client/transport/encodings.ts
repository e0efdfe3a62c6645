/**
 * Undoes what encoders make of a text: percent-encoding, escapes of JSON and JavaScript, entities of
 * HTML, base64.
 */

const ENCODED =
  /(?:%|\\x|\\u00)([\da-f]{2})|&#x0*([\da-f]{2});|\\(["'/\\])|&#0*(\d{2,3});|&(amp|apos|gt|lt|quot);/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** Undoes one encoding of ASCII, wherever it is in a text. */
export function decodeText(text: string): string {
  return text.replace(
    ENCODED,
    (_, code, hex = code, escaped, decimal, entity) =>
      escaped ?? ENTITIES[entity] ?? String.fromCharCode(hex ? parseInt(hex, 16) : decimal),
  );
}

/**
 * Whether a run of letters and digits, in either alphabet, is base64 of something that contains a
 * text.
 */
export function holdsInBase64(run: string, wanted: string): boolean {
  const base64 = run.replaceAll("-", "+").replaceAll("_", "/");
  // What stands before it in the run may have any length.
  return [0, 1, 2, 3].some((from) => {
    const rest = base64.slice(from);
    // No base64 has one character more than whole groups of four.
    const whole = rest.length % 4 === 1 ? rest.slice(0, -1) : rest;
    return atob(whole).includes(wanted);
  });
}
