/** The values of conditions in a one-line query: texts, numbers, choices and recipients. */
import { wholeNumber } from "../format.ts";
import type { Filter } from "../types.ts";
import type { DateOptions } from "./date_ranges.ts";
import { InvalidPart, type QueryPart, type QuerySpan, splitParts } from "./query_parts.ts";
import {
  KIND_OPERATORS,
  OPERATOR_SIGNS,
  type QueryField,
  type QueryKind,
  readUnits,
} from "./query_table.ts";

export interface QueryOptions extends DateOptions {
  /** Finds the user id of a name or an address, or returns a sentence that says why it can't. */
  readonly findRecipient?: (typed: string) => number | string;
}

/** Reads the values of a field's condition, and the sign of its operator before them. */
export function readFilters(
  query: string,
  value: QuerySpan,
  { kind, choices }: QueryField,
  options: QueryOptions,
): (Omit<Filter, "field"> & Partial<Filter>)[] {
  if (KIND_OPERATORS[kind].includes("GREATER_THAN")) return readNumbers(query, value, kind);
  const [operator, sign] = readSign(query.slice(value.start), kind);
  const parts = splitParts(query, /,/, { ...value, start: value.start + sign.length });
  const empty = parts.find(({ text, isQuoted }) => text === "" && !isQuoted);
  if (empty) throw new InvalidPart(empty, "A value is missing");
  if (kind === "recipient") return [readRecipients(parts, options)];
  return [{
    operator,
    value: parts.map((part) => choices ? readChoice(part, choices) : part.text),
  }];
}

/** The operator whose sign a text begins with, and the sign; or the usual one, which needs none. */
function readSign(text: string, kind: QueryKind): readonly [operator: string, sign: string] {
  const fitting: readonly string[] = KIND_OPERATORS[kind];
  const signs = Object.entries(OPERATOR_SIGNS).filter(([operator]) => fitting.includes(operator));
  return signs.find(([, sign]) => text.startsWith(sign)) ?? [fitting[0], ""];
}

function readChoice(part: QueryPart, choices: Readonly<Record<string, string>>): string {
  const word = part.text.toLowerCase();
  if (Object.hasOwn(choices, word)) return choices[word];
  throw new InvalidPart(part, `Write ${Object.keys(choices).join(" or ")}`);
}

/** Reads recipients: domains such as `@example.com`, or user ids, names and addresses. */
function readRecipients(
  parts: readonly QueryPart[],
  { findRecipient = () => "Write a user id, or a domain such as @example.com" }: QueryOptions,
): Filter {
  const areDomains = parts.some(({ text }) => text.startsWith("@"));
  const value = parts.map((part) => {
    if (areDomains) {
      const [, domain] = /^@([^\s@",:]+\.[^\s@",:.]+)$/.exec(part.text) ?? [];
      if (domain) return domain.toLowerCase();
      throw new InvalidPart(part, "Write a domain, such as @example.com");
    }
    const found = wholeNumber(part.text) ?? findRecipient(part.text);
    if (typeof found === "string") throw new InvalidPart(part, found);
    return String(found);
  });
  return { field: areDomains ? "recipientDomain" : "recipient", operator: "EQUALS", value };
}

/** Reads numbers: values, a comparison, or a range of two bounds. */
function readNumbers(
  query: string,
  value: QuerySpan,
  kind: QueryKind,
): Omit<Filter, "field">[] {
  const text = query.slice(value.start, value.end).replaceAll('"', "");
  const read = (typed: string) => readNumber(typed, value, kind);
  const [operator, sign] = readSign(text, kind);
  if (sign) return [{ operator, value: [read(text.slice(sign.length))] }];
  const bounds = text.split("..");
  if (bounds.length !== 2) return [{ operator: "EQUALS", value: text.split(",").map(read) }];
  const [least, most] = bounds.map(read);
  if (+least > +most) throw new InvalidPart(value, `${bounds[0]} is more than ${bounds[1]}`);
  return [
    { operator: "GREATER_THAN_OR_EQUAL", value: [least] },
    { operator: "LESS_THAN_OR_EQUAL", value: [most] },
  ];
}

function readNumber(text: string, value: QuerySpan, kind: QueryKind): string {
  if (kind === "seconds" || kind === "bytes") {
    const number = readUnits(text, kind);
    if (number !== undefined) return number;
    const example = kind === "seconds"
      ? "a duration, such as 90s, >5m, <=2h or 1m..5m"
      : "a size, such as 500KB, >1.5MB or 1MB..2MB";
    throw new InvalidPart(value, `Write ${example}`);
  }
  // The part of 27,000 after the comma would be read as a second number.
  if (/^(-?[1-9]\d*|0)$/.test(text)) return text;
  throw new InvalidPart(value, "Write a number, such as 27000, >100, <=100 or 10..100");
}
