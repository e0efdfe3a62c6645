/**
 * The members of an object from outside, each read as one type, or reported as an issue.
 *
 * @module
 */

import { dateTimeText, readDateTime } from "../dates.ts";
import { textIssue } from "../text.ts";

/** An object from outside. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads members by name. Null counts as missing; after an issue, the returned value means nothing. */
export interface MemberReader {
  /** What was wrong so far. */
  readonly issues: string[];
  /** Whether there is a value. */
  has(name: string): boolean;
  text(name: string): string;
  /** A whole number that JavaScript holds exactly. */
  integer(name: string): number;
  boolean(name: string): boolean;
  /** A date-time, in the form of the interface. */
  dateTime(name: string): string;
  /** A list of objects. */
  list<T>(name: string, read: (reader: MemberReader) => T): T[];
  /** The names of all members but the known ones. */
  unknown(known: readonly string[]): string[];
}

/** Reads the members of an object; `path` leads to it from the entry. */
export function memberReader(
  members: Members,
  path = "",
  issues: string[] = [],
): MemberReader {
  const refuse = <T>(name: string, detail: string, instead: T): T => {
    const value = members[name];
    const isMissing = value === undefined || value === null;
    issues.push(`${path}${name} ${isMissing ? "is missing" : detail}`);
    return instead;
  };
  return {
    issues,
    has: (name: string) => members[name] !== undefined && members[name] !== null,
    text(name: string): string {
      const value = members[name];
      if (typeof value !== "string") return refuse(name, "must be a text", "");
      const issue = textIssue(value);
      return issue === undefined ? value : refuse(name, issue, "");
    },
    integer(name: string): number {
      const value = members[name];
      if (Number.isSafeInteger(value)) return (value as number) + 0;
      return refuse(name, "must be a whole number within 2^53", 0);
    },
    boolean(name: string): boolean {
      const value = members[name];
      return typeof value === "boolean" ? value : refuse(name, "must be true or false", false);
    },
    dateTime(name: string): string {
      const value = members[name];
      if (typeof value !== "string") return refuse(name, "must be a date-time", "");
      const read = readDateTime(value);
      if (read.issue !== undefined) return refuse(name, read.issue, "");
      const text = dateTimeText(read.ms);
      return text.length === 24 ? text : refuse(name, "must be within the years 0 to 9999", "");
    },
    list<T>(name: string, read: (reader: MemberReader) => T): T[] {
      const value = members[name];
      if (!Array.isArray(value)) return refuse(name, "must be a list", []);
      return value.map((item, index) => {
        const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
        if (!isObject) issues.push(`${path}${name}[${index}] must be an object`);
        return read(memberReader(isObject ? item : {}, `${path}${name}[${index}].`, issues));
      });
    },
    unknown: (known: readonly string[]) =>
      Object.keys(members).filter((name) => !known.includes(name)),
  };
}
