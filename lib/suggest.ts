/** Mistyped words, and what was meant. */

/**
 * Finds the known word nearest to a typed one. Returns a question to add to a message, such as `
 * (did you mean "limit"?)`, or nothing.
 */
export function suggestion(typed: string, known: readonly string[]): string {
  const distances = known.map((word) =>
    [editDistance(typed.toLowerCase(), word.toLowerCase()), word] as const
  );
  const [nearest] = distances.sort(([a], [b]) => a - b);
  // More changes than a third of the word make another word.
  const isNear = nearest && nearest[0] <= Math.max(1, Math.floor(typed.length / 3));
  return isNear ? ` (did you mean "${nearest[1]}"?)` : "";
}

/** How many letters must be put in, taken out, changed, or swapped with their neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2] + 1 : Infinity;
      next.push(Math.min(changed, swapped, row[j] + 1, next[j - 1] + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
