import { createHash } from "node:crypto";

/** Values per statement; databases limit them. */
const AT_ONCE = 500;

/** Values in pieces that fit into one statement each. */
export function inPieces<Value>(values: Iterable<Value>, atOnce = AT_ONCE): Value[][] {
  const all = [...values];
  return Array.from(
    { length: Math.ceil(all.length / atOnce) },
    (_, at) => all.slice(at * atOnce, (at + 1) * atOnce),
  );
}

/** A digest of a text: no two texts have the same. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}

/** Rows of values to insert or compare with, as whole numbers or texts by their types. */
export function valuesOf(types: readonly ("BIGINT" | "TEXT")[], rows: number): string {
  const row = `(${types.map((type) => `CAST(? AS ${type})`).join(", ")})`;
  return `VALUES ${Array(rows).fill(row).join(", ")}`;
}
