/** Whole numbers as they stand in addresses, fields and arguments. */

/** The whole number that a text writes in digits, or null; one that is not exact is none. */
export function wholeNumber(text: string): number | null {
  const number = /^-?\d+$/.test(text) ? Number(text) + 0 : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
