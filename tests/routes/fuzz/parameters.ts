/** Query parameters for the fuzz tests: those that a route reads, with good values and others. */
import fc from "fast-check";
import { junk } from "./texts.ts";

type Values = Readonly<Record<string, readonly string[]>>;

const FILE_SETS: Values = {
  limit: ["1", "100", "1000", "0", "-1", "1e3", "9007199254740993"],
  offset: ["0", "100", "4999", "9007199254740991", "-1"],
  filter: [
    "name:LIKE:pay",
    "!permission:EQUALS:READ",
    "owner:IN:27,28",
    "description:IS_NULL",
    "id:EQUALS:x",
    "fileCount:GREATER_THAN:1e999",
    "nope:NOPE:%,%,%",
    "!",
  ],
  date: ["created:2025-01-01T00:00:00Z..", "updated:..2026-01-01T00:00:00Z", "updated:..", ".."],
  sort: ["name:ASC", "updated:DESC", "fileCount:ASC", "nope:UP", ":", "__proto__:ASC"],
  columns: ["id,name", "owner", "", "__proto__", "recipients.emailAddress"],
  format: ["csv", "ndjson", "json", "xml", "__proto__", "toString"],
  open: ["0002055f-9407-43df-a1f3-acf7f69db329", "x"],
  facts: ["shown"],
};

const FILE_SET_FORM: Values = {
  "q": ["pay", "owner:Finance -files:0 updated:last-month sort:-name", '"', "colour:x", ""],
  "new-field": ["name", "created", "nope"],
  "new-operator": ["LIKE", "other", ""],
  "new-value": ["x", "", "2025-01-01", "0000-00-00", "+275760-09-13"],
  "new-form": ["1"],
  "new-sort": ["name"],
};

const RUNS: Values = {
  limit: ["1", "100", "0", "x"],
  skip: ["0", "100", "399", "9007199254740991", "x"],
  load: ["10000", "2000", "1", "x"],
  status: ["success", "failure", "", "a:b.c"],
  trigger: ["automated", "manual", "x"],
  from: ["2026-01-01", "0000-01-01", "9999-99-99", "x"],
  through: ["2026-12-31", "x"],
  minSeconds: ["1", "-1", "1e308", "x"],
  maxSeconds: ["1", "Infinity"],
  attachments: ["with", "without", "x"],
  recipient: ["1", "-1", "x"],
  text: ["pay", "("],
  addresses: ["shown", "SHOWN"],
  before: ["102899999", "1", "x", "-1"],
  after: ["102900000", "x"],
};

const OTHERS: Values = {
  id: ["101", "x", "", "1e3", "99999999999999999999"],
  ids: ["101,102", "a,b", "1,".repeat(200), "", "-1", "0"],
  refresh: ["30", "-1", "1e9", "x"],
  status: ["success", "a:b.c", "__proto__"],
  next: ["/filesets", "//evil.example", "/\\evil.example", "javascript:alert(1)"],
  code: ["x", ""],
  saved: [""],
};

function valuesFor(path: string): readonly Values[] {
  if (path.startsWith("/filesets")) return [FILE_SETS, FILE_SETS, FILE_SETS, FILE_SET_FORM];
  if (/^\/api\/files/.test(path)) return [FILE_SETS];
  return /\[scheduleId\]/.test(path) ? [RUNS] : [OTHERS];
}

function encoded(name: string, value: string): string {
  return String(new URLSearchParams([[name.toWellFormed(), value.toWellFormed()]]));
}

/** A query for a route; mostly of what the route reads. */
export function anyQuery(path: string): fc.Arbitrary<string> {
  const known = fc.constantFrom(...valuesFor(path)).chain((values) =>
    fc.constantFrom(...Object.keys(values)).chain((name) =>
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values[name]) }, junk)
        .map((value) => encoded(name, value))
    )
  );
  const unknown = fc.tuple(
    fc.oneof(fc.constantFrom("__proto__", "constructor", "", "[]"), junk),
    junk,
  )
    .map(([name, value]) => encoded(name, value));
  const plain = path.endsWith("/export") ? ["format=csv", "format=json"] : [""];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...plain) },
    { weight: 8, arbitrary: fc.array(known, { maxLength: 3 }).map((pairs) => pairs.join("&")) },
    { weight: 1, arbitrary: unknown },
    { weight: 1, arbitrary: fc.tuple(known, fc.nat(400)).map(([one, n]) => `${one}&`.repeat(n)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%", "&&&=", "a=%zz", "?", "=".repeat(999), "%00=%00"),
    },
  );
}
