/** The fields that one-line queries can search, and the operators and units of each. */
import type { FieldKind, KnownOperator } from "../fields.ts";
import type { FileSetField, Filter } from "../types.ts";

/** What a field holds: a `count` is an integer but not an id, `words` are several texts in one. */
export type QueryKind = FieldKind | "count" | "seconds" | "bytes" | "words" | "recipient";

export interface QueryField {
  /** Its name in queries, such as `files`. The interface's own name is understood as well. */
  readonly name: string;
  readonly kind: QueryKind;
  /** Its name in sentences, if that differs. */
  readonly label?: string;
  readonly isRequired?: true;
  /** Words that stand for values. If several stand for one, queries are written with the first. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** The fields that a query may name, and where it searches for words without a field. */
export interface QueryTable {
  /** The fields by the names that the interface has for them, in reading order. */
  readonly fields: Readonly<Record<string, QueryField>>;
  readonly words: string;
}

export const FILE_SET_QUERY: QueryTable = {
  fields: {
    name: { name: "name", kind: "string" },
    description: { name: "description", kind: "string" },
    owner: { name: "owner", kind: "string" },
    permission: { name: "permission", kind: "string" },
    fileCount: { name: "files", kind: "count" },
    created: { name: "created", kind: "date-time" },
    createdBy: { name: "created-by", kind: "integer" },
    updated: { name: "updated", kind: "date-time" },
    updatedBy: { name: "updated-by", kind: "integer" },
    id: { name: "id", kind: "string", isRequired: true },
  } satisfies Record<FileSetField, QueryField>,
  words: "name",
};

/** The pseudo-operator of a date condition on a field that is not known to hold dates. */
export const DATE_OPERATOR = "DATE";

/** The signs of operators before a value; EQUALS has none. Longer signs come first. */
export const OPERATOR_SIGNS: Readonly<Record<string, string>> = {
  LIKE: "~",
  GREATER_THAN_OR_EQUAL: ">=",
  LESS_THAN_OR_EQUAL: "<=",
  GREATER_THAN: ">",
  LESS_THAN: "<",
} satisfies Record<Exclude<KnownOperator, "EQUALS" | "IN" | "IS_NULL">, string>;

const NUMBER_OPERATORS: readonly KnownOperator[] = [
  "EQUALS",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN_OR_EQUAL",
  "GREATER_THAN",
  "LESS_THAN",
];

/** The operators that fit a kind of field, the usual one first, besides the one for missing values. */
export const KIND_OPERATORS: Readonly<Record<QueryKind, readonly KnownOperator[]>> = {
  "string": ["EQUALS", "LIKE"],
  "integer": NUMBER_OPERATORS,
  "count": NUMBER_OPERATORS,
  "seconds": NUMBER_OPERATORS,
  "bytes": NUMBER_OPERATORS,
  "recipient": ["EQUALS"],
  "boolean": ["EQUALS"],
  // Other conditions on dates are date filters.
  "date-time": [],
  "words": ["LIKE"],
};

/** The field that the interface calls so, such as `fileCount`. */
export function fieldNamed({ fields }: QueryTable, field: string): QueryField | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** The field with a name in queries, in any case, singular or plural; undefined if none has it. */
export function queryField({ fields }: QueryTable, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const named = (text: string) =>
    Object.keys(fields).find((field) => fields[field].name === text) ??
      Object.keys(fields).find((field) => field.toLowerCase() === text);
  return named(wanted) ?? named(`${wanted}s`);
}

export function queryNames({ fields }: QueryTable): string[] {
  return Object.values(fields).map(({ name }) => name);
}

/** Units and their values, largest first. Queries are written with the first of equal ones. */
const UNITS: Readonly<Record<UnitKind, Readonly<Record<string, number>>>> = {
  seconds: { h: 3600, m: 60, min: 60, s: 1 },
  bytes: { GB: 1e9, MB: 1e6, KB: 1e3, B: 1, bytes: 1 },
};

type UnitKind = "seconds" | "bytes";

/** Parses seconds or bytes from a text such as `2 min` or `1.5MB`; undefined for other texts. */
export function readUnits(text: string, kind: UnitKind): string | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = unit === "" ? 1 : Object.entries<number>(UNITS[kind])
    .find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
  if (number === undefined || factor === undefined) return undefined;
  const value = Number(number) * factor;
  return String(kind === "bytes" ? Math.round(value) : value);
}

/** Writes seconds or bytes in the largest unit that is exact, such as `5m`. */
export function writeUnits(text: string, kind: UnitKind): string {
  const value = Number(text);
  const exact = Object.entries<number>(UNITS[kind])
    .filter(([, factor]) => value >= factor)
    .map(([unit, factor]) => `${value / factor}${unit}`)
    .find((written) => written.length <= 6 && readUnits(written, kind) === text);
  return exact ?? text;
}

/** A hint for a search that matches nothing; empty if there is none. */
export function nothingHint(filters: readonly Filter[], table: QueryTable): string {
  const exact = filters.find(({ field, operator = "EQUALS", not }) =>
    operator === "EQUALS" && !not && fieldNamed(table, field)?.kind === "string"
  );
  if (!exact) return "";
  const { name } = fieldNamed(table, exact.field)!;
  return `The whole value of ${name} has to match, in the same case. ` +
    `For a part, in any case, write ${name}:~ and the text.`;
}
