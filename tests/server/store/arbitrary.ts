/** Rows and searches for the property tests: few values, so that they often meet. */
import fc from "fast-check";
import { OPERATORS } from "../../../lib/fields.ts";
import type { FileSet, SearchBody } from "../../../lib/types.ts";

// Case pairs, wildcards, quotes, a character beyond 16 bits and one that sorts before it only by
// code point.
const text = fc.string({
  unit: fc.constantFrom(..."aAbéÉσςΣ%_'\"\\\u{1f600}\uff5e"),
  maxLength: 4,
});

/** Longer than any index of PostgreSQL holds, and without a pattern that compression could use. */
const LONG = Array.from(
  { length: 1000 },
  (_, at) => String.fromCodePoint(0x1f300 + at * at * 7 % 509),
).join("");

const anyText = fc.tuple(fc.constantFrom("", "", "", LONG), text).map((parts) => parts.join(""));

const moment = fc.constantFrom(0, 1, 1000, 86_400_000, 1_700_000_000_000, -1)
  .map((ms) => new Date(ms).toISOString());

const count = fc.constantFrom(-1, 0, 1, 2, 10, Number.MAX_SAFE_INTEGER);

const fileSet: fc.Arbitrary<FileSet> = fc.record({
  id: fc.oneof(fc.uuid(), anyText.filter(Boolean)),
  name: anyText,
  description: anyText,
  created: moment,
  createdBy: count,
  updated: moment,
  updatedBy: count,
  owner: anyText,
  permission: text,
  fileCount: count,
}, { requiredKeys: ["id"] });

/** Some file sets with different ids. */
export const fileSets = fc.uniqueArray(fileSet, { maxLength: 25, selector: (row) => row.id });

const texts = ["id", "name", "description", "owner", "permission"];
const numbers = ["createdBy", "updatedBy", "fileCount"];
const dates = ["created", "updated"];
const fields = [...texts, ...numbers, ...dates];

const comparisons = OPERATORS.filter((operator) => operator !== "LIKE" && operator !== "IS_NULL");

/** A filter by one of the fields, with one of the operators and some of the values. */
const filterBy = (
  fields: readonly string[],
  operators: readonly string[],
  value: fc.Arbitrary<string>,
) =>
  fc.record({
    field: fc.constantFrom(...fields),
    operator: fc.constantFrom(...operators),
    not: fc.boolean(),
    value: fc.array(value, { minLength: 1, maxLength: 3 }),
  });

const filter = fc.oneof(
  filterBy(texts, [...comparisons, "LIKE"], anyText),
  filterBy(numbers, comparisons, count.map(String)),
  filterBy(dates, comparisons, moment),
  filterBy(fields, ["IS_NULL"], moment).map(({ value: _, ...filter }) => filter),
);

const dateFilter = fc.record(
  { field: fc.constantFrom(...dates), start: moment, end: moment, not: fc.boolean() },
  { requiredKeys: ["field"] },
).filter(({ start, end }) => (start ?? end) !== undefined);

const order = fc.constantFrom("ASC", "DESC");
const sort = fc.record({ field: fc.constantFrom(...fields), order }, { requiredKeys: ["field"] });

/** A valid search. */
export const searchBody: fc.Arbitrary<SearchBody> = fc.record({
  fieldSort: fc.array(sort, { maxLength: 4 }),
  filters: fc.array(filter, { maxLength: 3 }),
  dateFilters: fc.array(dateFilter, { maxLength: 2 }),
}, { requiredKeys: [] });

/** A valid page. */
export const page = fc.record({
  limit: fc.constantFrom(1, 2, 3, 10, 1000),
  offset: fc.constantFrom(0, 1, 2, 5, 24, 1_000_000),
}, { requiredKeys: [] });
