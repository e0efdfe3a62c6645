/**
 * Checks of rows, which are objects with members of known types: of what a service answers as well
 * as of what a caller wants to send.
 *
 * A check is one function of a whole row, so that good rows pass quickly. Which member is wrong,
 * and what it should be, is found out by asking the same function about each member alone.
 *
 * @module
 */

/** An object with members of unknown types. */
export type Row = Record<string, unknown>;

/** Whether an object passes a check. */
export type IsGood = (row: Row) => boolean;

/** Makes the error for a value at a path that is not what was expected. */
export type Refuse = (path: string, expected: string, value: unknown) => Error;

/**
 * Whether a member can be text.
 *
 * @param value The member.
 * @returns True for a string, and for a member that is missing or null.
 */
export function isText(value: unknown): boolean {
  return typeof value === "string" || value === undefined || value === null;
}

/**
 * Whether a member can be a truth value.
 *
 * @param value The member.
 * @returns True for a boolean, and for a member that is missing or null.
 */
export function isFlag(value: unknown): boolean {
  return typeof value === "boolean" || value === undefined || value === null;
}

/**
 * Checks one row.
 *
 * @param row The row.
 * @param path Where it stands.
 * @param isGood Whether an object passes.
 * @param sample The members that every row must have, with good values.
 * @param refuse Makes the error.
 * @returns The row.
 * @throws What `refuse` made, when it does not pass.
 */
export function checkRow(
  row: unknown,
  path: string,
  isGood: IsGood,
  sample: Row,
  refuse: Refuse,
): Row {
  if (passes(row, isGood)) return row;
  if (!passes(row, () => true)) throw refuse(path, "an object", row);
  const fitting = (name: string, value: unknown) => isGood({ ...sample, [name]: value });
  const name = Object.keys({ ...sample, ...row }).find((name) => !fitting(name, row[name]))!;
  const fits = (value: unknown) => fitting(name, value);
  const expected = fits("a")
    ? `a ${fits("") ? "" : "non-empty "}string`
    : fits(0)
    ? "an integer"
    : fits(true)
    ? "a boolean"
    : "an array of strings";
  throw refuse(`${path}.${name}`, expected, row[name]);
}

/**
 * Checks a list of rows.
 *
 * @param rows The list.
 * @param path Where it stands.
 * @param isGood Whether an object passes.
 * @param sample The members that every row must have, with good values.
 * @param refuse Makes the error.
 * @returns The rows.
 * @throws What `refuse` made, when it is no array, or one of them does not pass.
 */
export function checkRows(
  rows: unknown,
  path: string,
  isGood: IsGood,
  sample: Row,
  refuse: Refuse,
): readonly Row[] {
  if (!Array.isArray(rows)) throw refuse(path, "an array", rows);
  let good = 0;
  while (good < rows.length && passes(rows[good], isGood)) good++;
  if (good < rows.length) checkRow(rows[good], `${path}[${good}]`, isGood, sample, refuse);
  return rows;
}

function passes(row: unknown, isGood: IsGood): row is Row {
  return typeof row === "object" && row !== null && !Array.isArray(row) && isGood(row as Row);
}
