/**
 * From an answer's text to the types of the interface, or to a {@linkcode ShapeError} that names
 * what is wrong. Values are checked and returned as they came: unknown fields are kept, and any
 * field but an id may be missing or null.
 *
 * @module
 */

import { ShapeError } from "./errors.ts";
import type { FileSetPage, ReportRun } from "./types.ts";

/**
 * Parses an answer's text as JSON.
 *
 * @param text The body.
 * @returns The value.
 * @throws {ShapeError} When it is empty or no JSON.
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message is left out: it repeats parts of the body.
    if (json.trim() === "") throw new ShapeError("", "The answer is empty, expected JSON");
    const what = looksCutOff(json) ? "is JSON that was cut off" : "is not JSON";
    throw new ShapeError("", `The answer ${what}`, { excerpt: json });
  }
}

/**
 * Whether a text that is no JSON began as JSON of the interface, so that another attempt may bring
 * the whole.
 *
 * @param text The body.
 * @returns True when it begins like an object or an array.
 */
export function looksCutOff(text: string): boolean {
  return /^[\uFEFF\s]*[{[]/.test(text);
}

/**
 * Checks the answer to a search.
 *
 * @param answer The parsed answer.
 * @returns The same value, typed.
 * @throws {ShapeError} When it is not what the interface describes.
 */
export function decodeFileSetPage(answer: unknown): FileSetPage {
  const page = expect(isObject, answer, "", "an object");
  const rows = expect(Array.isArray, page.fileSets, "fileSets", "an array", page);
  checkRows(rows, "fileSets", isFileSet, "id");
  const context = expect(isObject, page.pageContext, "pageContext", "an object", page);
  if (!isPageContext(context)) throw misfit("pageContext", context, isPageContext, {});
  return page as unknown as FileSetPage;
}

/**
 * Checks the answer to a request for a history.
 *
 * @param answer The parsed answer.
 * @returns The same value, typed.
 * @throws {ShapeError} When it is not what the interface describes.
 */
export function decodeHistory(answer: unknown): readonly ReportRun[] {
  const rows = expect(Array.isArray, answer, "", "an array");
  checkRows(rows, "", isRun, 0);
  for (let index = 0; index < rows.length; index++) {
    const { recipients } = rows[index] as Row;
    if (recipients === undefined || recipients === null) continue;
    const path = `[${index}].recipients`;
    checkRows(expect(Array.isArray, recipients, path, "an array"), path, isRecipient);
  }
  return rows as readonly ReportRun[];
}

type Row = Record<string, unknown>;

// Field by field and not in a loop over names: rows are many, and this is three times as fast.

function isFileSet(row: Row): boolean {
  return typeof row.id === "string" && row.id !== "" && isText(row.name) &&
    isText(row.description) && isText(row.created) && isInteger(row.createdBy) &&
    isText(row.updated) && isInteger(row.updatedBy) && isText(row.owner) &&
    isText(row.permission) && isInteger(row.fileCount);
}

function isPageContext(row: Row): boolean {
  return isText(row.next) && isInteger(row.offset) && isInteger(row.limit) && isInteger(row.total);
}

function isRun(row: Row): boolean {
  return Number.isInteger(row.id) && isInteger(row.reportId) && isText(row.reportTitle) &&
    isText(row.reportSubject) && isText(row.startTime) && isText(row.endTime) &&
    isFlag(row.automated) && isInteger(row.cardCount) && isInteger(row.attachmentCount) &&
    isInteger(row.attachmentSize) && isInteger(row.emailSize) && isText(row.status) &&
    isInteger(row.ownerId) && isInteger(row.recipientCount) && isText(row.resourceType) &&
    isInteger(row.resourceId) && isText(row.resourceName);
}

function isRecipient(row: Row): boolean {
  return isInteger(row.userId) && isText(row.displayName) && isText(row.emailAddress);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === undefined || value === null;
}

function isInteger(value: unknown): boolean {
  return Number.isInteger(value) || value === undefined || value === null;
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean" || value === undefined || value === null;
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every row passes the check; a good id is one that does, where rows have ids. */
function checkRows(
  rows: readonly unknown[],
  path: string,
  isGood: (row: Row) => boolean,
  goodId?: unknown,
): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (isObject(row) && isGood(row)) continue;
    throw misfit(`${path}[${index}]`, row, isGood, goodId === undefined ? {} : { id: goodId });
  }
}

/** Finds the field that fails the check, and what it should be, by asking the check itself. */
function misfit(
  path: string,
  row: unknown,
  isGood: (row: Row) => boolean,
  sample: Row,
): ShapeError {
  if (isObject(row)) {
    for (const name of [...Object.keys(sample), ...Object.keys(row)]) {
      const fits = (value: unknown) => isGood({ ...sample, [name]: value });
      if (fits(row[name])) continue;
      const expected = fits("a") ? "a string" : fits(0) ? "an integer" : "a boolean";
      return mismatch(`${path}.${name}`, expected, row[name]);
    }
  }
  return mismatch(path, "an object", row);
}

function expect<T>(
  is: (value: unknown) => value is T,
  value: unknown,
  path: string,
  expected: string,
  parent?: Row,
): T {
  if (is(value)) return value;
  throw mismatch(path, expected, value, parent);
}

function mismatch(path: string, expected: string, value: unknown, parent?: Row): ShapeError {
  const where = path === "" ? "The answer" : `${path} of the answer`;
  // The members that did come help to see a wrong envelope at once.
  const came = value === undefined && parent
    ? `; its members are ${Object.keys(parent).slice(0, 10).join(", ") || "none"}`
    : "";
  return new ShapeError(path, `${where} must be ${expected}, but is ${describe(value)}${came}`);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
