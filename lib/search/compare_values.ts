/** How values of a field are compared with the texts of a condition, and with each other. */

export type FilterValue = string | number | boolean;

/** Makes a test for values that meet an operator with any of the wanted texts. */
export function valueTest(
  operator: string,
  wanted: readonly string[],
): (value: FilterValue) => boolean {
  if (operator === "LIKE") {
    const parts = wanted.map(foldCase);
    return (value) => {
      const text = foldCase(String(value));
      return parts.some((part) => text.includes(part));
    };
  }
  const numbers = wanted.map(Number);
  if (operator === "EQUALS" || operator === "IN") {
    const sets = { texts: new Set(wanted), numbers: new Set(numbers) };
    return (value) =>
      typeof value === "number" ? sets.numbers.has(value) : sets.texts.has(String(value));
  }
  const holds = COMPARISONS[operator];
  return (value) =>
    typeof value === "number"
      ? numbers.some((bound) => holds(value - bound))
      : wanted.some((bound) => holds(compareTexts(String(value), bound)));
}

/** Whether a comparison holds, given the difference between a value and its bound. */
const COMPARISONS: Readonly<Record<string, (difference: number) => boolean>> = {
  GREATER_THAN: (difference) => difference > 0,
  GREATER_THAN_OR_EQUAL: (difference) => difference >= 0,
  LESS_THAN: (difference) => difference < 0,
  LESS_THAN_OR_EQUAL: (difference) => difference <= 0,
};

/** Compares values of a field; a missing one comes first, and texts are ordered by code points. */
export function compareValues(a: FilterValue | undefined, b: FilterValue | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    // The halves of a surrogate pair are less than U+E000, but the character is greater.
    const isPair = (unit: number) => Number(unit >= 0xd800 && unit < 0xe000);
    return isPair(one) === isPair(other) || Math.min(one, other) < 0xd800
      ? one - other
      : isPair(one) - isPair(other);
  }
  return a.length - b.length;
}

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** A text without case, the same on both engines. Each character is folded alone, even a final sigma. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) {
    // Lower case first: ẞ has no other upper case, while ß becomes SS.
    folded += character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded;
}
