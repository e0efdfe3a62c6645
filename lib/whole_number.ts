/** Whole numbers in URLs, forms and arguments. */

/** The whole number in a text of digits, or null; also null beyond 2^53 - 1. */
export function wholeNumber(text: string): number | null {
  const number = /^-?\d+$/.test(text) ? Number(text) + 0 : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
