/** How values of a field are compared with the texts of a condition, and with each other. */
import type { KnownOperator } from "../fields.ts";

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
  if (operator === "EQUALS" || operator === "IN") {
    const [texts, numbers] = [new Set(wanted), new Set(wanted.map(Number))];
    return (value) => typeof value === "number" ? numbers.has(value) : texts.has(String(value));
  }
  const holds = COMPARISONS[operator as Comparison];
  const difference = (value: FilterValue, bound: string) =>
    typeof value === "number" ? value - Number(bound) : compareTexts(String(value), bound);
  return (value) => wanted.some((bound) => holds(difference(value, bound)));
}

type Comparison = Exclude<KnownOperator, "EQUALS" | "LIKE" | "IN" | "IS_NULL">;

/** Whether a comparison holds, given the difference between a value and its bound. */
const COMPARISONS: Readonly<Record<Comparison, (difference: number) => boolean>> = {
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
  // Otherwise, units of 16 bits have the same order.
  if (!/[\ud800-\udfff]/.test(a + b)) return a < b ? -1 : Number(a > b);
  const [one, other] = [a, b].map((text) => Array.from(text, (each) => each.codePointAt(0)!));
  const at = one.findIndex((point, at) => point !== other[at]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
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
