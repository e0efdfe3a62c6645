import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FILE_SET_FIELDS, OPERATORS } from "../../../lib/fields.ts";
import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { FILE_SET_QUERY } from "../../../lib/search/query_table.ts";
import { parseQuery, parseSearchQuery, parseSort } from "../../../lib/search/search_query.ts";
import { formatSearchQuery, formatSort } from "../../../lib/search/search_query_format.ts";
import type { SearchBody } from "../../../lib/types.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");

function bodyOf(query: string, zone = "UTC"): SearchBody {
  const { body, issues } = parseSearchQuery(query, { now: NOW, zone });
  assertEquals(issues, [], query);
  return body;
}

/** The issues of a query, each with the text that it points at. */
function issuesOf(query: string): [pointedAt: string, detail: string][] {
  return parseSearchQuery(query, { now: NOW }).issues
    .map(({ start, end, detail }) => [query.slice(start, end), detail]);
}

/** Conditions in a few words, such as `!owner EQUALS Legal|Sales`, each after a comma. */
function written({ filters = [] }: SearchBody): string {
  return filters.map(({ field, operator, value, not }) =>
    `${not ? "!" : ""}${field} ${operator} ${value!.join("|")}`.trim()
  ).join(", ");
}

Deno.test("parseSearchQuery: what each kind of condition means", () => {
  const cases: Record<string, string> = {
    "": "",
    '  payroll "annual report" -draft ':
      "name LIKE payroll, name LIKE annual report, !name LIKE draft",
    '-"old ""x"""': '!name LIKE old "x"',
    'owner:Finance,"Human Resources"': "owner EQUALS Finance|Human Resources",
    "-Permission:READ owner:~fin": "!permission EQUALS READ, owner LIKE fin",
    "no:description -no:owner": "description IS_NULL, !owner IS_NULL",
    "has:owner -has:owner": "!owner IS_NULL, owner IS_NULL",
    "has:file -has:files": "fileCount GREATER_THAN 0, !fileCount GREATER_THAN 0",
    'owner:"a;b:c" owner:a:b': "owner EQUALS a;b:c, owner EQUALS a:b",
    'owner:"a,b"': "owner EQUALS a,b",
    "files:>100 files:<=5": "fileCount GREATER_THAN 100, fileCount LESS_THAN_OR_EQUAL 5",
    "created-by:7,8": "createdBy EQUALS 7|8",
    "filecount:10..20": "fileCount GREATER_THAN_OR_EQUAL 10, fileCount LESS_THAN_OR_EQUAL 20",
    "-colour:MATCHES:red,blue": "!colour MATCHES red|blue",
    'created:EQUALS: "a b":"x y":1': "created EQUALS, a b x y 1",
  };
  for (const [query, conditions] of Object.entries(cases)) {
    assertEquals(written(bodyOf(query)), conditions, query);
  }
});

Deno.test("parseSearchQuery: dates include both ends, in the days of the zone", () => {
  const cases: Record<string, string> = {
    "updated:last-month": "2026-02-01 to 2026-03-01",
    "created:2026-01-31": "2026-01-31 to 2026-02-01",
    "created:2026-02..2026": "2026-02-01 to 2027-01-01",
    "created:2024-02-29..2024-12": "2024-02-29 to 2025-01-01",
    "created:2024-02": "2024-02-01 to 2024-03-01",
    "created:2026-01-31..": "2026-01-31 to undefined",
    "created:..2026-01-31T10:00:00+01:00": "undefined to 2026-01-31T10:00:00+01:00",
    "created:>=2026-02": "2026-02-01 to undefined",
    "created:>2026-02": "2026-03-01 to undefined",
    "created:<2026-02": "undefined to 2026-02-01",
    "created:<=2026-02": "undefined to 2026-03-01",
    "created:yesterday..": "2026-03-14 to undefined",
  };
  for (const [query, range] of Object.entries(cases)) {
    const { start, end } = bodyOf(query).dateFilters![0];
    assertEquals(`${start} to ${end}`.replaceAll("T00:00:00Z", ""), range, query);
  }
  const [{ start, end }] = bodyOf("updated:today", "Europe/Berlin").dateFilters!;
  assertEquals([start, end], ["2026-03-14T23:00:00Z", "2026-03-15T23:00:00Z"]);
  assertEquals(bodyOf("-updated:today").dateFilters![0].not, true);
});

Deno.test("parseSearchQuery: sort keys, and dates of any field", () => {
  assertEquals(bodyOf("sort:-updated,name sort:colour:SHINY:RED").fieldSort, [
    { field: "updated", order: "DESC" },
    { field: "name", order: "ASC" },
    { field: "colour", order: "SHINY:RED" },
  ]);
  assertEquals(bodyOf("published:DATE:2026..").dateFilters, [
    { field: "published", start: "2026-01-01T00:00:00Z", range: "2026.." },
  ]);
});

Deno.test("parseSearchQuery: issues point at the place, and the rest still counts", () => {
  const query = 'owner:Finance colour:red files:many sort:size "open';
  const [colour, files, sort, open] = issuesOf(query);
  assertEquals([colour[0], files[0], sort[0], open[0]], ["colour", "many", "size", '"open']);
  const known = "No field is called colour. Fields: name, description, owner, permission, files,";
  assertEquals(colour[1].slice(0, known.length), known);
  assertEquals(files[1], "Write a number, such as 27000, >100, <=100 or 10..100");
  assertEquals(open[1], "The closing quote is missing");
  assertEquals(parseSearchQuery(query).body.filters?.length, 1);
  const dates =
    "2026-02-30 2026-01..2026-13 >=2026-02-30 2026-1-1 9999 2026..9999-12-31 ..2026.. " +
    ">2026.. < >2026-01-31T08:00:00Z 2023-02-29 24 2024-01-01T00:00 Today tomorrow constructor";
  for (const text of dates.split(" ")) {
    assertEquals(issuesOf(`updated:${text}`), [[text, issuesOf("updated:x")[0][1]]]);
  }
  // What a table shows as one number would be two.
  for (const text of ["27,000", "007", "~5"]) {
    assertEquals(issuesOf(`files:${text}`), [[text, files[1]]]);
  }
  assertEquals(issuesOf("files:20..10"), [["20..10", "20 is more than 10"]]);
  const negated = "A range can't be negated: write one side, such as files:<10";
  assertEquals(issuesOf("-files:10..20"), [["-files:10..20", negated]]);
  assertEquals(issuesOf("updated:2026-05..2026-01-31"), [
    ["2026-05..2026-01-31", "2026-05 is after 2026-01-31"],
  ]);
  assertEquals(issuesOf("files:0,27,100 files:9..10 files:7..7 updated:2026-05..2026-05-01"), []);
  assertEquals(issuesOf("updated:2026-01-31T10:00:00Z").length, 1);
  const places = issuesOf("owner: - -sort:name owner:a,,b no:colour :x").map(([text]) => text);
  assertEquals(places, ["", "-", "-sort:name", "", "colour", ""]);
});

Deno.test("parseSearchQuery: a missing field has its place, and the fields are listed", () => {
  const places = ["sort:", "sort:-", "sort:name,", 'sort:"":ASC', "no:", ":", "-:x", ":LIKE:x"]
    .map((query) => {
      const [{ start, detail }] = parseSearchQuery(query).issues;
      assert(detail.startsWith("A field is missing here. Fields: name, "), query);
      return start;
    });
  assertEquals(places, [5, 6, 10, 5, 3, 0, 1, 0]);
});

Deno.test("parseQuery: what runs are asked for, in their units and by who is meant", () => {
  const findRecipient = (name: string) => name === "Ann Lee" ? 7 : "Nobody";
  const parse = (query: string) => parseQuery(query, RUN_QUERY, { now: NOW, findRecipient });
  const cases: Record<string, string> = {
    'took:>5m duration:"2 min"': "duration GREATER_THAN 300, duration EQUALS 120",
    "took:90s..1.5h": "duration GREATER_THAN_OR_EQUAL 90, duration LESS_THAN_OR_EQUAL 5400",
    "email-size:>=1.5MB": "emailSize GREATER_THAN_OR_EQUAL 1500000",
    "attachment-size:<2kb has:attachment":
      "attachmentSize LESS_THAN 2000, attachmentCount GREATER_THAN 0",
    "trigger:hand": "automated EQUALS false",
    'recipient:2008,"Ann Lee"': "recipient EQUALS 2008|7",
    "-recipient:@Partner.Example.net": "!recipientDomain EQUALS partner.example.net",
  };
  for (const [query, conditions] of Object.entries(cases)) {
    assertEquals(written(parse(query).body), conditions, query);
  }
  const details = (query: string) => parse(query).issues.map(({ detail }) => detail);
  assertEquals(details("took:long emailsize:5miles recipient:Ben recipient: recipient:@a.b,5"), [
    "Write a duration, such as 90s, >5m, <=2h or 1m..5m",
    "Write a size, such as 500KB, >1.5MB or 1MB..2MB",
    "Nobody",
    "A value is missing",
    "Write a domain, such as @example.com",
  ]);
  const tooMuch = `recipient:${"9".repeat(20)} took:5m..1m`;
  assertEquals(details(tooMuch), ["Nobody", "5m is more than 1m"]);
  const typed = "claims status:failure took:>5m trigger:manual recipient:@a.org email-size:1.5MB";
  assertEquals(formatSearchQuery(parse(typed).body, RUN_QUERY), typed);
  // Of several units, the largest that a person would use.
  const units =
    "took:0s took:30m took:1.125h took:3601s took:2.5s email-size:0B email-size:500KB email-size:7B";
  const again = formatSearchQuery(parse(units).body, RUN_QUERY);
  assertEquals(again, units.replaceAll(/:0[sB]/g, ":0"));
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "a b",
    'say "x"',
    "a,b",
    "a:b",
    "-x",
    "~x",
    ">5",
    "1..2",
    "",
    "300",
    "1500000",
    "true",
    "@a.org",
    "a.org",
    "x>5",
    "(x)",
    "OR",
    "ann@a.org",
    "READ",
    "sort",
    "no",
  ),
);
const anyField = fc.oneof(
  fc.constantFrom(...Object.keys(FILE_SET_FIELDS), ...Object.keys(RUN_QUERY.fields)),
  fc.constantFrom("colour", "a b", "sort", "no", "x:y", 'q"q', "-a"),
);
const anyNot = fc.constantFrom({}, { not: true });
const anyBody: fc.Arbitrary<SearchBody> = fc.record({
  filters: fc.array(
    fc.tuple(
      fc.record({
        field: anyField,
        operator: fc.constantFrom(...OPERATORS, "MATCHES", "odd op", "DATE"),
        value: fc.oneof(fc.array(anyText, { maxLength: 3 }), fc.array(fc.nat().map(String))),
      }),
      anyNot,
    ).map(([filter, not]) => ({ ...filter, ...not })),
    { maxLength: 4 },
  ),
  dateFilters: fc.array(
    fc.tuple(
      anyField,
      fc.constantFrom({}, { start: "2026-01-01T00:00:00Z" }),
      fc.constantFrom({}, { end: "2026-02-01T10:30:00.5+01:00" }),
      anyNot,
    ).map(([field, start, end, not]) => ({ field, ...start, ...end, ...not })),
    { maxLength: 2 },
  ),
  fieldSort: fc.array(
    fc.record({ field: anyField, order: fc.constantFrom("ASC", "DESC", "odd one") }),
    { maxLength: 3 },
  ),
});

const ADDRESS = [{ field: "text", operator: "LIKE", value: ["ann@a.org"] }];
const ADDRESS_AS_TEXT = { filters: ADDRESS, dateFilters: [], fieldSort: [] };

Deno.test("formatSearchQuery: every search is read back as it was", () =>
  fc.assert(
    fc.property(anyBody, fc.constantFrom(FILE_SET_QUERY, RUN_QUERY), (body, table) => {
      const query = formatSearchQuery(body, table);
      const { body: read, issues } = parseQuery(query, table, {});
      assertEquals(issues, [], query);
      assertEquals({ filters: [], dateFilters: [], fieldSort: [], ...read }, body, query);
    }),
    { numRuns: 300, examples: [[ADDRESS_AS_TEXT, RUN_QUERY]] },
  ));

Deno.test("parseSearchQuery: no text is too odd, and issues lie within it", () =>
  fc.assert(fc.property(
    fc.oneof(anyText, fc.array(anyText).map((texts) => texts.join(" owner:"))),
    (query) => {
      for (const { start, end } of parseSearchQuery(query).issues) {
        assert(0 <= start && start <= end && end <= query.length);
      }
    },
  )));

Deno.test("formatSearchQuery: days are written as they were read, in any zone", () => {
  const days = ["last-month", "2026", "2026-02", "2026-01-31..", "..2026", ">=2026-02", "<2026"];
  for (const zone of ["Europe/Berlin", "America/New_York"]) {
    for (const text of [...days, "2026-01-05..2026-02", "last-month..today"]) {
      const query = `created:${text} -updated:${text}`;
      const again = formatSearchQuery(bodyOf(query, zone));
      assertEquals([again, bodyOf(again, zone)], [query, bodyOf(query, zone)]);
    }
  }
});

Deno.test("formatSort: what stands after sort: in a query is read as the same keys", () =>
  fc.assert(fc.property(anyBody, ({ fieldSort = [] }) => {
    const sort = formatSort(fieldSort, FILE_SET_QUERY);
    const { body, issues } = parseSort(sort, FILE_SET_QUERY);
    assertEquals([body.fieldSort ?? [], issues], [fieldSort, []], sort);
  })));

Deno.test("parseSort: names every key that is not valid, with its place", () => {
  const { body, issues } = parseSort("-updated,size,colour:UP,-name:ASC", FILE_SET_QUERY);
  const keys = body.fieldSort!.map(({ field, order }) => `${field} ${order}`);
  assertEquals(keys, ["updated DESC", "colour UP"]);
  assertEquals(issues.map(({ start, end }) => [start, end]), [[9, 13], [24, 33]]);
});
