/**
 * Finds texts within others whatever encoders made of them on the way: percent-encoding, escapes of
 * JSON and JavaScript, entities of HTML, base64, one upon the other.
 *
 * @module
 */

/** A part of a text: from a place up to another. */
export type Part = readonly [from: number, to: number];

/** How many encodings one upon the other are undone. */
const DEEPEST = 4;

/** A text without an encoding, and where each of its characters was in the text that is searched. */
interface Layer {
  readonly text: string;
  readonly places: readonly number[];
}

/**
 * Finds every part of a text that is one of some others, as it is or encoded.
 *
 * @param searched What to search in.
 * @param wanted What to search for.
 * @returns The parts, in order and apart from each other.
 */
export function findEncoded(searched: string, wanted: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  // What is searched for may itself look encoded, and is then decoded along with the text.
  const forms = new Set(wanted.flatMap((one) => layersOf(one).map(({ text }) => text)));
  for (const { text, places } of layersOf(searched)) {
    const add = (from: number, to: number) => parts.push([places[from], places[to]]);
    for (const form of forms) findPlain(text, form, add);
    for (const { 0: run, index } of text.matchAll(/[\w+/-]{8,}/g)) {
      if (wanted.some((one) => holdsInBase64(run, one))) add(index, index + run.length);
    }
  }
  const apart: Part[] = [];
  for (const [from, to] of parts.sort(([a], [b]) => a - b)) {
    const [before, until] = apart.at(-1) ?? [0, 0];
    if (from < until) apart[apart.length - 1] = [before, Math.max(until, to)];
    else apart.push([from, to]);
  }
  return apart;
}

function findPlain(text: string, wanted: string, add: (from: number, to: number) => void): void {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    // A short one is a part of many words.
    const isWord = !/\w/.test(text.charAt(at - 1) + text.charAt(end));
    if (wanted.length >= SHORT || isWord) add(at, end);
  }
  // A text that was cut off may end with the beginning. Fewer characters reveal little.
  for (let length = wanted.length - 1; length >= SHORT; length--) {
    if (text.endsWith(wanted.slice(0, length))) return add(text.length - length, text.length);
  }
}

/** So many characters that agree are hardly chance. */
const SHORT = 8;

/** Whether a run of letters and digits is base64 of something that holds a text, or its beginning. */
function holdsInBase64(run: string, wanted: string): boolean {
  const base64 = run.replaceAll("-", "+").replaceAll("_", "/");
  // What stands before it in the run may have any length.
  return wanted.length >= SHORT && [0, 1, 2, 3].some((from) => {
    const rest = base64.slice(from);
    // No base64 has one character more than whole groups of four.
    const whole = rest.length % 4 === 1 ? rest.slice(0, -1) : rest;
    return atob(whole).includes(wanted.slice(0, SHORT));
  });
}

const ENCODED =
  /%([\da-f]{2})|\\(?:u([\da-f]{4})|x([\da-f]{2})|(["'/\\]))|&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** A text as it is, and with one encoding after the other undone. */
function layersOf(text: string): readonly Layer[] {
  const layers = [{ text, places: Array.from({ length: text.length + 1 }, (_, at) => at) }];
  for (let depth = 1; depth < DEEPEST; depth++) {
    const layer = layers[depth - 1];
    const next = decode(layer);
    if (next.text.length === layer.text.length) break;
    layers.push(next);
  }
  return layers;
}

function decode({ text, places }: Layer) {
  let decoded = "";
  const from: number[] = [];
  let at = 0;
  const put = (character: string, length: number) => {
    decoded += character;
    from.push(places[at]);
    at += length;
  };
  for (const found of text.matchAll(ENCODED)) {
    const [all, percent, u, x, escaped, decimal, hexadecimal, entity] = found;
    const hex = percent ?? u ?? x ?? hexadecimal;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    const character = escaped ?? (entity ? ENTITIES[entity] : String.fromCharCode(code));
    if (character === undefined) continue;
    while (at < found.index) put(text[at], 1);
    put(character, all.length);
  }
  while (at < text.length) put(text[at], 1);
  return { text: decoded, places: [...from, places[at]] };
}
