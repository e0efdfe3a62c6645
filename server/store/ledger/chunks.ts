import { createHash } from "node:crypto";

/** Values per statement; databases limit bound values. */
const CHUNK = 500;

export function inChunks<Value>(values: Iterable<Value>, size = CHUNK): Value[][] {
  const all = [...values];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, at) => all.slice(at * size, (at + 1) * size),
  );
}

/** A digest of a text; in practice, no two texts share one. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}

/** A `VALUES` list with this many rows of placeholders, each cast to its type. */
export function valuesOf(types: readonly ("BIGINT" | "TEXT")[], rows: number): string {
  const row = `(${types.map((type) => `CAST(? AS ${type})`).join(", ")})`;
  return `VALUES ${Array(rows).fill(row).join(", ")}`;
}
