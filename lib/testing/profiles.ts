/** Kinds of services with this interface: what each does where the interface is open. */
import { readDateTime } from "../date_times.ts";
import { OPERATORS, ORDERS } from "../fields.ts";
import { timeText } from "../format.ts";
import type { FileSet, PageContext, ReportRun, SearchBody } from "../types.ts";

/**
 * A kind of service:
 *
 * - `documented`: knows every operator and order of Docket's embedded service, and answers 404 to what
 *   it lacks. Rows come as the test lists them, unless the search has an order
 * - `vendor`: what is publicly known of a service with this interface. Pages have at most 100 rows.
 *   `pageContext` has `count`, `totalCount`, `offset`, and an opaque `next` that repeats at the end.
 *   Both ends of a date filter are included, and fields in filters may be in snake case. Times have
 *   microseconds, `owner` is a user id, and runs come in no order. What it lacks or does not allow is
 *   answered with 403 and plain text
 * - `minimal`: knows `EQUALS` and `ASC`, and answers 400 to all else
 * - `strict`: never answers 404, but 403, so that nobody learns which schedules there are
 */
export type Profile = "documented" | "vendor" | "minimal" | "strict";

interface Behaviour {
  /** The operators and orders that are known. */
  readonly operators: readonly string[];
  readonly orders: readonly string[];
  /** The most rows on any page. */
  readonly mostRows: number;
  /** The status for a schedule that does not exist. */
  readonly missingStatus: 403 | 404;
  /** Whether a 403 has a problem document, and not a plain text. */
  readonly explains: boolean;
  readonly toFileSet: (row: FileSet) => FileSet;
  readonly toHistory: (runs: readonly ReportRun[]) => readonly ReportRun[];
  readonly toBody: (body: SearchBody) => SearchBody;
  readonly toContext: (context: Context) => object;
}

/** A documented page context, and the number of rows on the page. */
type Context = PageContext & { readonly count: number };

const DOCUMENTED: Behaviour = {
  operators: OPERATORS,
  orders: ORDERS,
  mostRows: Infinity,
  missingStatus: 404,
  explains: true,
  toFileSet: (row) => row,
  toHistory: (runs) => runs,
  toBody: (body) => body,
  toContext: ({ next, offset, limit, total }) => ({ next, offset, limit, total }),
};

export const PROFILES: Readonly<Record<Profile, Behaviour>> = {
  documented: DOCUMENTED,
  vendor: {
    ...DOCUMENTED,
    mostRows: 100,
    missingStatus: 403,
    explains: false,
    toFileSet: (row) => {
      const isName = row.owner && !/^\d+$/.test(row.owner);
      return withMicroseconds(isName ? { ...row, owner: String(row.createdBy ?? 0) } : row);
    },
    toHistory: (runs) =>
      runs.toSorted((a, b) => a.id % 7 - b.id % 7 || a.id - b.id).map(withMicroseconds),
    toBody: ({ fieldSort, filters, dateFilters }) => ({
      fieldSort: fieldSort?.map(inCamelCase),
      filters: filters?.map(inCamelCase),
      dateFilters: dateFilters?.map((filter) => {
        const { ms } = readDateTime(filter.end ?? "");
        // A range ends before its end, and rows of tests have no parts of a millisecond.
        return { ...inCamelCase(filter), ...ms !== undefined && { end: timeText(ms + 1) } };
      }),
    }),
    toContext: ({ count, next, offset, total }) => {
      // The last page has the same as the page before.
      const from = next || String(offset);
      return { count, offset, totalCount: total, ...(from !== "0" && { next: btoa(from) }) };
    },
  },
  minimal: { ...DOCUMENTED, operators: ["EQUALS"], orders: ["ASC"] },
  strict: { ...DOCUMENTED, missingStatus: 403 },
};

function withMicroseconds<Row extends object>(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const [, time, ms = ""] = /^(\d{4}-\d\d-\d\dT[\d:]{8})(?:\.(\d+))?Z$/.exec(value) ?? [];
    return [name, time ? `${time}.${ms.padEnd(6, "0")}Z` : value];
  });
  return Object.fromEntries(entries);
}

function inCamelCase<Part extends { readonly field: string }>(part: Part): Part {
  return { ...part, field: part.field.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()) };
}
