/**
 * Checks rows, which are objects with members of known kinds: those that a service sends, and those
 * that a caller wants to send.
 */

export type Row = Record<string, unknown>;

/** What a member must be, as it is written after "a" or "an". */
export type Kind =
  | "string"
  | "date-time"
  | "integer"
  | "boolean"
  | "array of strings"
  | "any";

/** What the members of a row must be; a member that is not listed may be anything exact. */
export type Members = Readonly<
  Record<string, {
    /** Its kind; `any` is not checked. */
    readonly kind: Kind;
    /** Whether it may be missing or null; one that may not must not be an empty string either. */
    readonly mayBeMissing: boolean;
  }>
>;

export type MakeError = (path: string, expected: string, value: unknown) => Error;

/** Called for each member that is left out of its row. */
export type LeaveOut = (path: string, expected: string) => void;

/**
 * Checks the row at `path`. Throws for a wrong required member first, then in the row's order. With
 * `leaveOut`, a wrong member that is not required is removed instead.
 */
export function checkRow(
  row: unknown,
  path: string,
  members: Members,
  makeError: MakeError,
  leaveOut?: LeaveOut,
): Row {
  if (!isRow(row)) throw makeError(path, "an object", row);
  const placeOf = (name: string) => `${path}.${name}`.replace(/^\./, "");
  const errorAt = (name: string, expected: string, value: unknown) =>
    makeError(placeOf(name), expected, value);
  for (const name in members) {
    const { kind, mayBeMissing } = members[name];
    if (mayBeMissing) continue;
    const value = row[name];
    if ((value ?? "") === "") {
      throw errorAt(name, expectedOf(kind).replace("a s", "a non-empty s"), value);
    }
    if (!isOf(kind, value)) throw errorAt(name, expectedOf(kind), value);
  }
  // All members of the row, not only the known ones: an integer that lost digits must be noticed
  // anywhere.
  for (const name in row) {
    const wrong = wrongIn(row[name], Object.hasOwn(members, name) ? members[name].kind : undefined);
    if (!wrong) continue;
    const place = name + wrong.path;
    if (!leaveOut) throw errorAt(place, wrong.expected, wrong.value);
    leaveOut(placeOf(place), wrong.expected);
    delete row[name];
  }
  return row;
}

export function checkRows(
  rows: unknown,
  path: string,
  members: Members,
  makeError: MakeError,
  leaveOut?: LeaveOut,
): readonly Row[] {
  if (!Array.isArray(rows)) throw makeError(path, "an array", rows);
  rows.forEach((row, index) => checkRow(row, `${path}[${index}]`, members, makeError, leaveOut));
  return rows;
}

/** What is wrong in a member; one of no known kind must only be exact. */
function wrongIn(value: unknown, kind: Kind | undefined) {
  if (kind) return isOf(kind, value) ? undefined : { path: "", expected: expectedOf(kind), value };
  const inexact = inexactIn(value);
  return inexact && { ...inexact, expected: "exact" };
}

/** Finds the first integer beyond 2^53 in a value, whose digits may be lost, and its path. */
export function inexactIn(
  value: unknown,
): { readonly path: string; readonly value: unknown } | undefined {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { path: "", value };
  if (typeof value !== "object" || value === null) return undefined;
  for (const key in value) {
    const inner = inexactIn((value as Row)[key]);
    const path = Array.isArray(value) ? `[${key}]` : `.${key}`;
    if (inner) return { path: path + inner.path, value: inner.value };
  }
}

function isOf(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null || kind === "any") return true;
  if (typeof value === "string") return kind === "string" || kind === "date-time";
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "boolean") return typeof value === "boolean";
  return Array.isArray(value) && kind === "array of strings" &&
    value.every((text) => typeof text === "string");
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function expectedOf(kind: Kind): string {
  return `${/^[aio]/.test(kind) ? "an" : "a"} ${kind}`;
}
