/** The body of a search, described once: the API's reading, its faults and OpenAPI come from here. */
import { inexactIn } from "../../../lib/client/row_checks.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import { type FieldKind, OPERATORS } from "../../../lib/fields.ts";
import { wholeNumber } from "../../../lib/format.ts";
import { foldCase } from "../../../lib/search/match_rows.ts";
import type { SearchInput } from "../../../lib/types.ts";
import {
  choice,
  flag,
  integer,
  list,
  type MemberShapes,
  moment,
  named,
  nullable,
  optional,
  record,
  refine,
  type Shape,
  text,
  textIssue,
  value,
} from "../../http/shape.ts";
import { FIELDS, hasTrigram, type StoredField } from "./conditions.ts";

export const LIMITS = {
  pageSize: 1000,
  sortKeys: 10,
  filters: 50,
  dateFilters: 50,
  values: 1000,
  /** LIKE values that no index finds: each is searched for in every row. */
  scannedValues: 10,
};

/** A page of file sets or of runs, as the embedded service has it. */
export const PAGE_LIMIT = integer({ min: 1, max: LIMITS.pageSize });
export const PAGE_START = integer({ min: 0 });

/** Null is as good as absent, and is passed on to an upstream. */
export const maybe = <Json>(shape: Shape<Json>) => optional(nullable(shape));

/** A value to compare with. */
const SCALAR = value<string | number | boolean>(
  { type: ["string", "number", "boolean"] },
  scalarIssue,
);

function scalarIssue(json: unknown): string | undefined {
  if (typeof json === "string") return textIssue(json);
  if (typeof json === "number") return inexactIn(json) ? "must be exact" : undefined;
  return typeof json === "boolean" ? undefined : "must be a text, a number, true or false";
}

/**
 * What every service is sent: the interface does not say which members are required, nor which fields,
 * operators and orders there are.
 */
export const ANY_SEARCH_BODY = record({
  fieldSort: maybe(list(record({ field: maybe(text()), order: maybe(text()) }))),
  filters: maybe(list(record({
    field: maybe(text()),
    value: maybe(list(SCALAR)),
    not: maybe(flag()),
    operator: maybe(text()),
  }))),
  dateFilters: maybe(list(record({
    field: maybe(text()),
    start: maybe(text()),
    end: maybe(text()),
    not: maybe(flag()),
  }))),
}) as Shape<SearchInput>;

function fieldNames(kind?: FieldKind): readonly string[] {
  return FIELDS.filter((field) => !kind || field.kind === kind).map(({ name }) => name);
}

const NOT = maybe(flag({ default: false }));

const FIELD_SORT = named(
  "FieldSort",
  record({
    field: choice(fieldNames()),
    order: maybe(choice(["ASC", "DESC"], { default: "ASC" })),
  }),
);

const FILTER = named(
  "Filter",
  refine(
    record({
      field: choice(fieldNames()),
      value: maybe(list(SCALAR, { maxItems: LIMITS.values })),
      not: NOT,
      operator: maybe(choice(OPERATORS, { default: "EQUALS" })),
    }),
    checkFilter,
  ),
);

const DATE_FILTER = named(
  "DateFilter",
  refine(
    record({
      field: choice(fieldNames("date-time")),
      start: maybe(moment({ description: "Included" })),
      end: maybe(moment({ description: "Excluded" })),
      not: NOT,
    }),
    ({ start, end }, report) => {
      if ((start ?? end ?? null) === null) report("", "needs a start, an end, or both");
    },
  ),
);

/** What the embedded service takes. */
export const SEARCH_BODY = named(
  "SearchBody",
  refine(
    record({
      fieldSort: maybe(list(FIELD_SORT, { max: LIMITS.sortKeys, items: "sort keys" })),
      filters: maybe(list(FILTER, { max: LIMITS.filters, items: "filters" })),
      dateFilters: maybe(list(DATE_FILTER, { max: LIMITS.dateFilters, items: "date filters" })),
    }),
    checkValues,
  ),
) as Shape<SearchInput>;

type Row = Readonly<Record<keyof MemberShapes, unknown>>;
type Report = (pointer: string, detail: string) => void;

function readValues({ value }: Row): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readField({ field }: Row): StoredField | undefined {
  return FIELDS.find(({ name }) => name === field);
}

function checkFilter(filter: Row, report: Report): void {
  const field = readField(filter);
  const operator = OPERATORS.find((known) => known === (filter.operator ?? "EQUALS"));
  if (!operator || !Array.isArray(filter.value ?? [])) return;
  const values = readValues(filter);
  if (operator === "IS_NULL") {
    if (values.length > 0) report("/value", "must be empty with IS_NULL");
  } else if (values.length === 0) report("/value", "needs at least one value");
  if (!field) return;
  if (operator === "LIKE" && field.kind !== "string") {
    const names = fieldNames("string").join(", ");
    report("/operator", `must not be LIKE for ${field.name}: only for ${names}`);
    return;
  }
  values.forEach((each, at) => {
    // Whatever is no scalar is named already.
    const issue = scalarIssue(each) === undefined && valueIssue(field, String(each));
    if (issue) report(`/value/${at}`, issue);
  });
}

/** What is wrong with a value for a field, if anything. */
function valueIssue({ kind }: StoredField, text: string): string | undefined {
  if (kind === "string") return undefined;
  if (kind === "date-time") return readDateTime(text).issue;
  if (wholeNumber(text) !== null) return undefined;
  return `must be a whole number of at most ${Number.MAX_SAFE_INTEGER}`;
}

/** The limits that all filters share. */
function checkValues(body: Row, report: Report): void {
  const filters: readonly Row[] = Array.isArray(body.filters) ? body.filters : [];
  const count = filters.reduce((sum, filter) => sum + readValues(filter ?? {}).length, 0);
  if (count > LIMITS.values) {
    report("/filters", `must have at most ${LIMITS.values} values in all, not ${count}`);
    return;
  }
  const scanned = filters.flatMap((filter) => {
    const field = readField(filter ?? {});
    if (filter?.operator !== "LIKE" || field?.kind !== "string") return [];
    const texts = new Set(readValues(filter).map(String));
    return [...texts].filter((text) => !field.hasTrigrams || !hasTrigram(foldCase(text)));
  }).length;
  if (scanned > LIMITS.scannedValues) {
    report(
      "/filters",
      `must have at most ${LIMITS.scannedValues} values of LIKE that are for id or have fewer ` +
        `than three characters, not ${scanned}: no index finds them`,
    );
  }
}
