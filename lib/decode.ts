/**
 * From an answer's text to the types of the interface, or to a {@linkcode ShapeError} that names
 * what is wrong. Values are checked and returned as they came: unknown fields are kept, and any
 * field but an id may be missing or null.
 *
 * @module
 */

import { ShapeError } from "./errors.ts";
import { checkRow, checkRows, isFlag, isText, type Row } from "./rows.ts";
import type { FileSetPage, ReportRun } from "./types.ts";

/**
 * Parses an answer's text as JSON.
 *
 * @param text The body.
 * @returns The value.
 * @throws {ShapeError} When it is empty or no JSON.
 */
export function parseJson(text: string): unknown {
  // A byte order mark is white space to trim.
  const json = text.trim();
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message is left out: it repeats parts of the body.
    const what = json === "" ? "empty" : looksCutOff(json) ? "JSON that was cut off" : "not JSON";
    throw new ShapeError("", `the answer is ${what}`, { excerpt: json });
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
  return /^\s*[{[]/.test(text);
}

/**
 * Checks the answer to a search.
 *
 * @param answer The parsed answer.
 * @returns The same value, typed.
 * @throws {ShapeError} When it is not what the interface describes.
 */
export function decodeFileSetPage(answer: unknown): FileSetPage {
  const page = checkRow(answer, "", () => true, {}, refuse);
  if (!page.fileSets) {
    // The members that did come help to see a wrong envelope at once.
    const members = Object.keys(page).slice(0, 10).join(", ");
    throw refuse("fileSets", "an array", page.fileSets, `; its members are ${members}`);
  }
  checkRows(page.fileSets, "fileSets", isFileSet, { id: "id" }, refuse);
  checkRow(page.pageContext, "pageContext", isPageContext, {}, refuse);
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
  const runs = checkRows(answer, "", isRun, { id: 0 }, refuse);
  for (let index = 0; index < runs.length; index++) {
    const recipients = runs[index].recipients ?? [];
    checkRows(recipients, `[${index}].recipients`, isRecipient, {}, refuse);
  }
  return runs as unknown as readonly ReportRun[];
}

// Field by field and not in a loop over names: rows are many, and this is three times as fast.

function isFileSet(row: Row): boolean {
  return isText(row.id) && Boolean(row.id) && isText(row.name) &&
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

function isInteger(value: unknown): boolean {
  return Number.isInteger(value) || value === undefined || value === null;
}

function refuse(path: string, expected: string, value: unknown, more = ""): ShapeError {
  const where = `${path && `${path} of `}the answer`;
  return new ShapeError(path, `${where} must be ${expected}, but is ${describe(value)}${more}`);
}

/** Names a value without repeating it. */
function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  return value ? `of type ${typeof value}` : JSON.stringify(value);
}
