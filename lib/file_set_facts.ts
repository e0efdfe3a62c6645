/**
 * What many file sets have in common: who owns them, who may read them, how many files they hold,
 * when they were made.
 *
 * @module
 */

import type { FileSet } from "./types.ts";

/** How often a value occurs. */
export interface ValueCount {
  /** The value; null for file sets without one. */
  readonly value: string | null;
  /** Number of file sets with it. */
  readonly count: number;
}

/** What was computed of some file sets. */
export interface FileSetFacts {
  /** Number of file sets it was computed of. */
  readonly count: number;
  /** Owners, the most frequent first. */
  readonly owners: readonly ValueCount[];
  /** Permissions, the most frequent first. */
  readonly permissions: readonly ValueCount[];
  /** Numbers of files; null when no file set says its own. */
  readonly files: {
    readonly total: number;
    readonly median: number;
    readonly most: number;
    /** Number of file sets without files. */
    readonly empty: number;
  } | null;
  /** Number of file sets created in each month in UTC, such as `2026-11`, the oldest first. */
  readonly created: readonly { readonly month: string; readonly count: number }[];
}

/**
 * Computes facts of file sets.
 *
 * @param fileSets The file sets.
 * @returns The facts.
 *
 * @example
 * ```ts
 * import { factsOfFileSets } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const { owners, files } = factsOfFileSets([
 *   { id: "a", owner: "Finance", fileCount: 2 },
 *   { id: "b", owner: "Finance", fileCount: 0 },
 * ]);
 * assertEquals(owners, [{ value: "Finance", count: 2 }]);
 * assertEquals(files, { total: 2, median: 1, most: 2, empty: 1 });
 * ```
 */
export function factsOfFileSets(fileSets: readonly FileSet[]): FileSetFacts {
  return {
    count: fileSets.length,
    owners: countValues(fileSets.map(({ owner }) => owner ?? null)),
    permissions: countValues(fileSets.map(({ permission }) => permission ?? null)),
    files: factsOfFiles(
      fileSets.map(({ fileCount }) => fileCount).filter((count) => typeof count === "number"),
    ),
    created: countMonths(fileSets.map(({ created }) => created)),
  };
}

function countValues(values: readonly (string | null)[]): ValueCount[] {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
}

function factsOfFiles(counts: readonly number[]): FileSetFacts["files"] {
  if (counts.length === 0) return null;
  const sorted = counts.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return {
    total: sorted.reduce((sum, count) => sum + count, 0),
    median: sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2,
    most: sorted[sorted.length - 1],
    empty: sorted.filter((count) => count === 0).length,
  };
}

/** Every month from the first to the last, those without file sets included. */
function countMonths(
  moments: readonly (string | null | undefined)[],
): { month: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const moment of moments) {
    const time = Date.parse(moment ?? "");
    if (Number.isNaN(time)) continue;
    const month = new Date(time).toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  const months = [...counts.keys()].sort();
  const all: { month: string; count: number }[] = [];
  if (months.length === 0) return all;
  const cursor = new Date(`${months[0]}-01T00:00:00Z`);
  for (let month = months[0]; month <= months[months.length - 1];) {
    all.push({ month, count: counts.get(month) ?? 0 });
    cursor.setUTCMonth(cursor.getUTCMonth() + 1);
    month = cursor.toISOString().slice(0, 7);
  }
  return all;
}
