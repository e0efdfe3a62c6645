import type { Sql } from "../sql.ts";

/** The same statement with `$1` and so on instead of each `?`. */
export function numbered({ text, values }: Sql): Sql {
  let number = 0;
  return { text: text.replace(/\?/g, () => `$${++number}`), values };
}
