/**
 * From an answer's text to the types of the interface, or to a {@linkcode ShapeError} that names
 * what is wrong. Values are checked and returned as they came: unknown fields are kept, and any
 * field but an id may be missing or null.
 *
 * @module
 */

import { ShapeError } from "./errors.ts";
import type { FileSetPage, ReportRun } from "./types.ts";

type Kind = "string" | "integer" | "boolean";

/** Names of fields by their type, separated by spaces. */
type Fields = { readonly [kind in Kind]?: string };

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
  const page = expectObject(answer, "");
  const rows = expectArray(page.fileSets, "fileSets", page);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!isFileSet(row)) throw rowError(`fileSets[${index}]`, row, "string", FILE_SET);
  }
  const context = expectObject(page.pageContext, "pageContext", page);
  checkFields("pageContext", context, { string: "next", integer: "offset limit total" });
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
  const rows = expectArray(answer, "");
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!isRun(row)) throw rowError(`[${index}]`, row, "integer", RUN);
    const { recipients } = row;
    if (recipients === undefined || recipients === null) continue;
    const list = expectArray(recipients, `[${index}].recipients`);
    for (let place = 0; place < list.length; place++) {
      const path = `[${index}].recipients[${place}]`;
      checkFields(path, expectObject(list[place], path), RECIPIENT);
    }
  }
  return rows as readonly ReportRun[];
}

/** Field by field and not in a loop over names: rows are many, and this is five times as fast. */
function isFileSet(row: unknown): boolean {
  return isObject(row) && typeof row.id === "string" && row.id !== "" &&
    isText(row.name) && isText(row.description) && isText(row.created) &&
    isInteger(row.createdBy) && isText(row.updated) && isInteger(row.updatedBy) &&
    isText(row.owner) && isText(row.permission) && isInteger(row.fileCount);
}

function isRun(row: unknown): row is Record<string, unknown> {
  return isObject(row) && Number.isInteger(row.id) &&
    isInteger(row.reportId) && isText(row.reportTitle) && isText(row.reportSubject) &&
    isText(row.startTime) && isText(row.endTime) && isFlag(row.automated) &&
    isInteger(row.cardCount) && isInteger(row.attachmentCount) &&
    isInteger(row.attachmentSize) && isInteger(row.emailSize) && isText(row.status) &&
    isInteger(row.ownerId) && isInteger(row.recipientCount) && isText(row.resourceType) &&
    isInteger(row.resourceId) && isText(row.resourceName);
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

const FILE_SET: Fields = {
  string: "name description created updated owner permission",
  integer: "createdBy updatedBy fileCount",
};

const RUN: Fields = {
  string: "reportTitle reportSubject startTime endTime status resourceType resourceName",
  integer: "reportId cardCount attachmentCount attachmentSize emailSize ownerId recipientCount " +
    "resourceId",
  boolean: "automated",
};

const RECIPIENT: Fields = { string: "displayName emailAddress", integer: "userId" };

/** Throws when a field that is there has another type. */
function checkFields(path: string, row: Record<string, unknown>, fields: Fields): void {
  for (const [kind, names] of Object.entries(fields)) {
    for (const name of names.split(" ")) {
      const value = row[name] ?? undefined;
      if (value !== undefined && !isKind(value, kind)) {
        throw mismatch(`${path}.${name}`, article(kind), value);
      }
    }
  }
}

function isKind(value: unknown, kind: string): boolean {
  if (kind === "integer") return Number.isInteger(value);
  return kind === "boolean" ? typeof value === "boolean" : typeof value === "string";
}

/** Finds out what is wrong with a row; only called when something is. */
function rowError(path: string, row: unknown, idKind: Kind, fields: Fields): ShapeError {
  if (!isObject(row)) return mismatch(path, "an object", row);
  if (row.id !== "" && isKind(row.id, idKind)) checkFields(path, row, fields);
  return mismatch(`${path}.id`, article(idKind), row.id);
}

function article(kind: string): string {
  return kind === "integer" ? "an integer" : `a ${kind}`;
}

function expectObject(
  value: unknown,
  path: string,
  parent?: Record<string, unknown>,
): Record<string, unknown> {
  if (isObject(value)) return value;
  throw mismatch(path, "an object", value, parent);
}

function expectArray(
  value: unknown,
  path: string,
  parent?: Record<string, unknown>,
): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw mismatch(path, "an array", value, parent);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mismatch(
  path: string,
  expected: string,
  value: unknown,
  parent?: Record<string, unknown>,
): ShapeError {
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
