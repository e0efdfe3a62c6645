/** Describes JSON once: how it is read, with every fault, how it is written, and its schema in OpenAPI. */
import { isRow } from "../../lib/client/row_checks.ts";
import { readDateTime } from "../../lib/date_times.ts";
import { wholeNumber } from "../../lib/format.ts";
import type { ValidationIssue } from "./problem.ts";

export type Schema = Readonly<Record<string, unknown>>;

/**
 * Some JSON.
 *
 *     const NOTE = record({ text: text({ max: 1000 }), until: optional(moment()) });
 *     NOTE.read({ text: 1, by: "me" }, "", faults)
 *     // faults: "/by is not known; allowed are text, until" and "/text must be a text"
 */
export interface Shape<Json> {
  readonly schema: Schema;
  /** Reads a value. If something is invalid, adds the faults, and leaves it out. */
  read(json: unknown, pointer: string, faults: ValidationIssue[]): Json | undefined;
  /** The JSON of a value. Default: the value itself. Of an object, only what the shape describes. */
  write?(value: Json): unknown;
  /** The JSON that a text in a query stands for; a shape without it can't be in a query. */
  readonly fromText?: (text: string) => unknown;
  /** Whether a member may be missing. */
  readonly isOptional?: boolean;
}

interface OptionalShape<Json> extends Shape<Json> {
  readonly isOptional: true;
}

/** What a shape reads and writes. */
export type JsonOf<Described> = Described extends Shape<infer Json> ? Json : never;

export type MemberShapes = Readonly<Record<string, Shape<unknown>>>;

type OptionalNames<Of extends MemberShapes> = {
  [Name in keyof Of]: Of[Name] extends OptionalShape<unknown> ? Name : never;
}[keyof Of];

export type RecordOf<Of extends MemberShapes> =
  & { readonly [Name in Exclude<keyof Of, OptionalNames<Of>>]: JsonOf<Of[Name]> }
  & { readonly [Name in OptionalNames<Of>]?: JsonOf<Of[Name]> };

/** The most faults in one answer. */
const MAX_FAULTS = 1000;

function addFault(faults: ValidationIssue[], pointer: string, detail: string): undefined {
  if (faults.length < MAX_FAULTS) faults.push({ pointer, detail });
}

/** A shape that takes the values for which `issue` returns nothing, and otherwise what they must be. */
export function value<Json>(
  schema: Schema,
  issue: (json: unknown) => string | undefined,
  fromText: (text: string) => unknown = (text) => text,
): Shape<Json> {
  return {
    schema,
    fromText,
    read(json, pointer, faults) {
      const detail = issue(json);
      return detail === undefined ? json as Json : addFault(faults, pointer, detail);
    },
  };
}

/** What is wrong with a text, if anything: neither database can store NUL or half a character. */
export function textIssue(text: string, max = Infinity): string | undefined {
  if (text.length > max) return `must have at most ${max} characters`;
  if (text.includes("\0")) return "must not contain the NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  return undefined;
}

export function text({ max, ...more }: Schema & { readonly max?: number } = {}): Shape<string> {
  const schema = { type: "string", ...max !== undefined && { maxLength: max }, ...more };
  return value(schema, (json) => {
    if (typeof json !== "string") return "must be a text";
    return textIssue(json, max);
  });
}

export function integer(
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, ...more }: Schema & {
    readonly min?: number;
    readonly max?: number;
  } = {},
): Shape<number> {
  const schema = {
    type: "integer",
    ...min > Number.MIN_SAFE_INTEGER && { minimum: min },
    ...max < Number.MAX_SAFE_INTEGER && { maximum: max },
    ...more,
  };
  const end = max < Number.MAX_SAFE_INTEGER ? String(max) : "2^53 - 1";
  const range = min > Number.MIN_SAFE_INTEGER ? `from ${min} to ${end}` : "within 2^53";
  const isRight = (json: unknown) =>
    Number.isSafeInteger(json) && (json as number) >= min && (json as number) <= max;
  return value(
    schema,
    (json) => isRight(json) ? undefined : `must be a whole number ${range}`,
    (text) => wholeNumber(text) ?? text,
  );
}

export function flag(more: Schema = {}): Shape<boolean> {
  return value(
    { type: "boolean", ...more },
    (json) => typeof json === "boolean" ? undefined : "must be true or false",
    (text) => text === "true" ? true : text === "false" ? false : text,
  );
}

/** One of some words. */
export function choice<Word extends string>(
  words: readonly Word[],
  more: Schema = {},
): Shape<Word> {
  return value(
    { enum: words, ...more },
    (json) => words.includes(json as Word) ? undefined : `must be one of ${words.join(", ")}`,
  );
}

/** A date and time with a zone, such as `2026-03-10T08:00:00+01:00`. */
export function moment(more: Schema = {}): Shape<string> {
  return value(
    { type: "string", format: "date-time", ...more },
    (json) =>
      typeof json === "string"
        ? readDateTime(json).issue
        : "must be a date-time with a zone, like 2026-01-31T08:00:00Z",
  );
}

/** Such a date and time, which is read as milliseconds since 1970 and written as ISO 8601 in UTC. */
export function time(more: Schema = {}): Shape<number> {
  const { read, ...described } = moment(more);
  return {
    ...described,
    read(json, pointer, faults) {
      const text = read(json, pointer, faults);
      return text === undefined ? undefined : Date.parse(text);
    },
    write: (ms) => new Date(ms).toISOString(),
  };
}

/** The JSON of a value that a shape describes. */
export function toJson<Json>(shape: Shape<Json>, value: Json): unknown {
  return shape.write ? shape.write(value) : value;
}

/** Invalid items stay in the list as undefined, so that pointers to the others are right. */
export function list<Json>(
  items: Shape<Json>,
  { max, items: noun = "items", ...more }: Schema & {
    readonly max?: number;
    /** What the items are, for its fault. */
    readonly items?: string;
  } = {},
): Shape<readonly Json[]> {
  return {
    schema: {
      type: "array",
      items: items.schema,
      ...max !== undefined && { maxItems: max },
      ...more,
    },
    read(json, pointer, faults) {
      if (!Array.isArray(json)) return addFault(faults, pointer, "must be an array");
      if (max !== undefined && json.length > max) {
        addFault(faults, pointer, `must have at most ${max} ${noun}, not ${json.length}`);
      }
      return json.slice(0, max).map((item, at) =>
        items.read(item, `${pointer}/${at}`, faults) as Json
      );
    },
    write: (values) => values.map((each) => toJson(items, each)),
  };
}

export function nullable<Json>(shape: Shape<Json>): Shape<Json | null> {
  return {
    ...shape,
    schema: nullableSchema(shape.schema),
    read: (json, pointer, faults) => json === null ? null : shape.read(json, pointer, faults),
    write: (value) => value === null ? null : toJson(shape, value),
  };
}

function nullableSchema(schema: Schema): Schema {
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

/** A member that may be missing. */
export function optional<Json>(shape: Shape<Json>): OptionalShape<Json> {
  return { ...shape, isOptional: true };
}

/** Either of two shapes; `rule` says what a value must be that is neither. */
export function either<One, Other>(
  one: Shape<One>,
  other: Shape<Other>,
  rule: string,
): Shape<One | Other> {
  return {
    schema: { anyOf: [one.schema, other.schema] },
    read(json, pointer, faults) {
      for (const shape of [one, other]) {
        const found: ValidationIssue[] = [];
        const read = shape.read(json, pointer, found);
        if (found.length === 0) return read as One | Other;
      }
      return addFault(faults, pointer, rule);
    },
  };
}

/** An object with these members and no others. */
export function record<Of extends MemberShapes>(
  members: Of,
  more: Schema = {},
): Shape<RecordOf<Of>> {
  const all = Object.entries(members);
  const names = all.map(([name]) => name).join(", ");
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
      required: all.flatMap(([name, { isOptional }]) => isOptional ? [] : name),
      additionalProperties: false,
      ...more,
    },
    read(json, pointer, faults) {
      if (!isRow(json)) return addFault(faults, pointer, "must be an object");
      for (const name of Object.keys(json)) {
        if (Object.hasOwn(members, name)) continue;
        addFault(faults, `${pointer}/${escapePointer(name)}`, `is not known; allowed are ${names}`);
      }
      return Object.fromEntries(all.flatMap(([name, shape]) => {
        if (!Object.hasOwn(json, name) || json[name] === undefined) {
          if (!shape.isOptional) addFault(faults, `${pointer}/${name}`, "is missing");
          return [];
        }
        const read = shape.read(json[name], `${pointer}/${name}`, faults);
        return read === undefined ? [] : [[name, read]];
      })) as RecordOf<Of>;
    },
    write: (value: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        all.filter(([name]) => value[name] !== undefined)
          .map(([name, shape]) => [name, toJson(shape, value[name])]),
      ),
  };
}

/** A shape with further rules, in the words of `schema` and as faults of `check`. */
export function refine<Json>(
  shape: Shape<Json>,
  check: (
    json: Readonly<Record<string, unknown>>,
    report: (pointer: string, detail: string) => void,
  ) => void,
  schema: Schema = {},
): Shape<Json> {
  return {
    ...shape,
    schema: { ...shape.schema, ...schema },
    read(json, pointer, faults) {
      const read = shape.read(json, pointer, faults);
      const report = (at: string, detail: string) => addFault(faults, pointer + at, detail);
      if (isRow(json)) check(json, report);
      return read;
    },
  };
}

/** The schemas that have a name in the document. */
export const NAMED_SCHEMAS = new Map<string, Schema>();

/** A shape whose schema has a name in the document. */
export function named<Json>(name: string, shape: Shape<Json>): Shape<Json> {
  NAMED_SCHEMAS.set(name, shape.schema);
  return { ...shape, schema: { $ref: `#/components/schemas/${name}` } };
}

/** A name in a JSON pointer (RFC 6901). Callers choose it, so a response only repeats its beginning. */
function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Reads the parameters of a query. Each may be there once, and no other. */
export function readQuery<Of extends MemberShapes>(
  query: URLSearchParams,
  members: Of,
  faults: ValidationIssue[],
): RecordOf<Of> {
  const names = Object.keys(members);
  const found: ValidationIssue[] = [];
  for (const parameter of new Set(query.keys())) {
    if (Object.hasOwn(members, parameter)) continue;
    const allowed = names.length > 0 ? `allowed are ${names.join(", ")}` : "there are none";
    found.push({ parameter, detail: `is not known here; ${allowed}` });
  }
  const values = names.flatMap((parameter) => {
    const texts = query.getAll(parameter);
    const { fromText, read, isOptional } = members[parameter];
    if (texts.length > 1) found.push({ parameter, detail: "must be given only once" });
    if (texts.length === 0 && !isOptional) found.push({ parameter, detail: "is missing" });
    if (texts.length !== 1) return [];
    const wrong: ValidationIssue[] = [];
    const json = read(fromText?.(texts[0]), "", wrong);
    found.push(...wrong.map(({ detail }) => ({ parameter, detail })));
    return [[parameter, json] as const];
  });
  faults.push(...found);
  return Object.fromEntries(values) as RecordOf<Of>;
}
