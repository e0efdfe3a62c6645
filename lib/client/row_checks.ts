/** Checks the members of objects that a service sent, or that a caller wants to send. */
import type { FieldKind } from "../fields.ts";

export type Row = Record<string, unknown>;

/** What a member must be; messages put "a" or "an" in front. */
export type Kind = FieldKind | "array of texts, numbers or booleans" | "any";

/** What the members of a row must be. Others may be anything but integers that are not exact. */
export type Members = Readonly<
  Record<string, {
    /** Its kind; `any` is not checked. */
    readonly kind: Kind;
    /** Whether it may be missing or null. If not, it must not be an empty string either. */
    readonly mayBeMissing: boolean;
  }>
>;

type MakeError = (path: string, expected: string, value: unknown) => Error;

export type OnLeftOut = (path: string, expected: string) => void;

/**
 * Checks a row, required members first. Times that are numbers become texts. With `onLeftOut`, other
 * invalid members are removed.
 */
export function checkRow(
  row: unknown,
  path: string,
  members: Members,
  makeError: MakeError,
  onLeftOut?: OnLeftOut,
): Row {
  if (!isRow(row)) throw makeError(path, "an object", row);
  const toPath = (name: string) => `${path}.${name}`.replace(/^\./, "");
  const errorAt = (name: string, expected: string, value: unknown) =>
    makeError(toPath(name), expected, value);
  for (const name in members) {
    const { kind, mayBeMissing } = members[name];
    if (mayBeMissing) continue;
    const value = row[name];
    if ((value ?? "") === "") {
      throw errorAt(name, describeKind(kind).replace("a s", "a non-empty s"), value);
    }
    if (!isOfKind(kind, value)) throw errorAt(name, describeKind(kind), value);
  }
  // Unknown members too: an integer that lost digits must be noticed anywhere.
  for (const name in row) {
    const kind = Object.hasOwn(members, name) ? members[name].kind : undefined;
    if (kind === "date-time" && isTime(row[name])) row[name] = new Date(row[name]).toISOString();
    const issue = issueIn(row[name], kind);
    if (!issue) continue;
    const issuePath = name + issue.path;
    if (!onLeftOut) throw errorAt(issuePath, issue.expected, issue.value);
    onLeftOut(toPath(issuePath), issue.expected);
    delete row[name];
  }
  return row;
}

export function checkRows(
  rows: unknown,
  path: string,
  members: Members,
  makeError: MakeError,
  onLeftOut?: OnLeftOut,
): readonly Row[] {
  if (!Array.isArray(rows)) throw makeError(path, "an array", rows);
  rows.forEach((row, index) => checkRow(row, `${path}[${index}]`, members, makeError, onLeftOut));
  return rows;
}

/** What is wrong with a member; one of unknown kind only has to be exact. */
function issueIn(value: unknown, kind: Kind | undefined) {
  if (kind) {
    return isOfKind(kind, value) ? undefined : { path: "", expected: describeKind(kind), value };
  }
  const inexact = inexactIn(value);
  return inexact && { ...inexact, expected: "exact" };
}

/** Whether a value is beyond 2^53, and so may have lost digits. */
export function isInexact(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Finds the first number in a value that is beyond 2^53. */
export function inexactIn(
  value: unknown,
): { readonly path: string; readonly value: unknown } | undefined {
  if (isInexact(value)) return { path: "", value };
  if (typeof value !== "object" || value === null) return undefined;
  for (const key in value) {
    const inner = inexactIn((value as Row)[key]);
    const path = Array.isArray(value) ? `[${key}]` : `.${key}`;
    if (inner) return { path: path + inner.path, value: inner.value };
  }
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null || kind === "any") return true;
  if (typeof value === "string") return kind === "string" || kind === "date-time";
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "boolean") return typeof value === "boolean";
  return Array.isArray(value) && kind === "array of texts, numbers or booleans" &&
    value.every((one) =>
      typeof one === "string" || typeof one === "boolean" || Number.isFinite(one)
    );
}

/** Whether a value is a time in milliseconds since 1970, and not in other units or another number. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= Date.UTC(1990) && value < Date.UTC(2101);
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describeKind(kind: Kind): string {
  const units = kind === "date-time" ? ", as text or in milliseconds since 1970" : "";
  return `${/^[aio]/.test(kind) ? "an" : "a"} ${kind}${units}`;
}
