/** The members of an object from outside, each read as its field's kind or reported as an issue. */
import { isRow, type Row } from "../../../lib/client/row_checks.ts";
import type { Field, FieldKind } from "../../../lib/fields.ts";
import { readDateTime } from "../dates.ts";
import { textIssue } from "../text.ts";

/** Reads members by name. Null counts as missing; after an issue, the returned value means nothing. */
export interface MemberReader {
  readonly issues: string[];
  has(name: string): boolean;
  read(name: string, kind: FieldKind): unknown;
  /** The values of all fields; only the one named may be missing. */
  readAll(fields: Readonly<Record<string, Field>>, optional?: string): Record<string, unknown>;
  readList<T>(name: string, read: (reader: MemberReader) => T): T[];
  /** The names of all members but the known ones. */
  unknown(known: readonly string[]): string[];
}

/** A value as it is stored, or what is wrong with the one that was given. */
type ReadValue = { readonly value: unknown } | { readonly issue: string };

const READERS: Readonly<Record<FieldKind, (value: unknown) => ReadValue>> = {
  string(value) {
    if (typeof value !== "string") return { issue: "must be a text" };
    const issue = textIssue(value);
    return issue === undefined ? { value } : { issue };
  },
  integer: (value) =>
    Number.isSafeInteger(value)
      ? { value: (value as number) + 0 } // Not -0.
      : { issue: "must be a whole number within 2^53" },
  boolean: (value) => typeof value === "boolean" ? { value } : { issue: "must be true or false" },
  "date-time"(value) {
    if (typeof value !== "string") return { issue: "must be a date-time" };
    const read = readDateTime(value);
    if (read.issue !== undefined) return { issue: read.issue };
    const text = new Date(read.ms).toISOString();
    return text.length === 24 ? { value: text } : { issue: "must be within the years 0 to 9999" };
  },
};

/** Reads the members of an object; `path` leads to it from the entry. */
export function memberReader(
  members: Readonly<Row>,
  path = "",
  issues: string[] = [],
): MemberReader {
  const has = (name: string) => members[name] !== undefined && members[name] !== null;
  const report = (name: string, issue: string) =>
    void issues.push(`${path}${name} ${has(name) ? issue : "is missing"}`);
  const read = (name: string, kind: FieldKind) => {
    const result = READERS[kind](members[name]);
    if ("value" in result) return result.value;
    report(name, result.issue);
  };
  return {
    issues,
    has,
    read,
    readAll(fields, optional) {
      const values: Record<string, unknown> = {};
      for (const name in fields) {
        if (name !== optional || has(name)) values[name] = read(name, fields[name].kind);
      }
      return values;
    },
    readList<T>(name: string, readItem: (reader: MemberReader) => T): T[] {
      const value = members[name];
      if (!Array.isArray(value)) {
        report(name, "must be a list");
        return [];
      }
      return value.map((item, index) => {
        if (!isRow(item)) issues.push(`${path}${name}[${index}] must be an object`);
        return readItem(memberReader(isRow(item) ? item : {}, `${path}${name}[${index}].`, issues));
      });
    },
    unknown: (known) => Object.keys(members).filter((name) => !known.includes(name)),
  };
}
