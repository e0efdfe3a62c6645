/** Filters and sorts rows of any kind. */
import type { DateFilter, FieldSort, SearchBody } from "../types.ts";
import { compareValues, type FilterValue, valueTest } from "./compare_values.ts";

/** The values of a row's field, none if it has none; times are milliseconds since 1970. */
export type ReadValues<Row> = (row: Row, field: string) => readonly FilterValue[];

/** Makes a test for rows that meet all conditions; `toWanted` reads their texts as the values are. */
export function rowTest<Row>(
  { filters = [], dateFilters = [] }: SearchBody,
  readValues: ReadValues<Row>,
  toWanted: (field: string, text: string) => string,
): (row: Row) => boolean {
  const conditions = [
    ...filters.map(({ field, operator = "EQUALS", value = [], not = false }) => {
      const isMatch = valueTest(operator, value.map((text) => toWanted(field, text)));
      return (row: Row) => {
        const values = readValues(row, field);
        return (operator === "IS_NULL" ? values.length === 0 : values.some(isMatch)) !== not;
      };
    }),
    ...dateFilters.map(({ field, not = false, ...range }) => {
      const isInRange = rangeTest(range);
      return (row: Row) => readValues(row, field).some(isInRange) !== not;
    }),
  ];
  return (row) => conditions.every((holds) => holds(row));
}

/** Makes a test for times in a range, which includes its start but not its end. */
function rangeTest({ start, end }: Pick<DateFilter, "start" | "end">) {
  const first = start ? Date.parse(start) : -Infinity;
  const after = end ? Date.parse(end) : Infinity;
  return (value: FilterValue): boolean => {
    const time = typeof value === "number" ? value : Date.parse(String(value));
    return !Number.isNaN(time) && !(time < first) && !(time >= after);
  };
}

/** Sorts rows by the first value of each field. Rows that the keys don't order stay in their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  keys: readonly FieldSort[],
  readValues: ReadValues<Row>,
): Row[] {
  const signs = keys.map(({ order }) => order === "DESC" ? -1 : 1);
  return rows
    .map((row) => ({ row, values: keys.map(({ field }) => readValues(row, field)[0]) }))
    .sort((a, b) => {
      for (let at = 0; at < signs.length; at++) {
        const order = compareValues(a.values[at], b.values[at]);
        if (order !== 0) return order * signs[at];
      }
      return 0;
    })
    .map(({ row }) => row);
}
