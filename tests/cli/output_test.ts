import { assertEquals } from "@std/assert";
import { type Fault, makeRuns } from "../../lib/testing/mod.ts";
import { runSteps, world } from "./world.ts";

Deno.test("docket: control characters of the service do not reach the terminal", async () => {
  const [name, shown] = ["\x1b[31mred\x07\u2028\u202e", "\ufffd[31mred\ufffd\ufffd\ufffd"];
  const { docket } = world({ fileSets: [{ id: "a", name }] });
  await runSteps(docket, [["filesets --columns name", 0, `name\n${shown}\n`]]);
  const body = JSON.stringify({ detail: name });
  const failing = world({ faults: () => ({ kind: "status", status: 409, body }) });
  const { err } = await failing.docket("filesets", "--debug");
  assertEquals(err.match(/409: .{5}red.{3}/g), [`409: ${shown}`]);
});

Deno.test("docket: tables fit the terminal, or 80 characters, and say what they cut", async () => {
  const long = { name: "n".repeat(40), description: "d".repeat(40) };
  const fileSets = [{ id: "a", ...long, fileCount: 7, updated: "2026-01-31T08:00:00Z" }];
  const words = "filesets --columns id,updated,name,description,fileCount";
  const cut = (width: number) =>
    `To fit ${width} characters, the table cut name, description; --json writes all\n`;
  const narrow = world({ fileSets }, { isTerminal: true, columns: 60 });
  await runSteps(narrow.docket, [[words, 0, /^.{1,60}\n.{1,59}….{0,58}\n$/, cut(60)]]);
  // A terminal of a build, which has no width.
  const unsized = world({ fileSets }, { isTerminal: true, columns: 0 });
  await runSteps(unsized.docket, [[words, 0, /^.{80}\n.{80}\n$/, cut(80)]]);
  await runSteps(world({ fileSets }).docket, [
    [words, 0, /^.{80}\n.{80}\n$/, cut(80)],
    [`${words} --json`, 0, /./],
  ]);
});

Deno.test("docket: tables have few columns that are short to read, unless others are chosen", async () => {
  const [run] = makeRuns(1);
  const runs = {
    101: [
      { ...run, endTime: "2025-01-02T06:02:05.000Z", emailSize: 1_400_000, recipientCount: 6 },
      { id: 5, startTime: "2025-01-01 05:00", status: "success" },
    ],
  };
  const fileSets = [{ id: "a", region: "EU" } as never];
  const table = "started            status   took        people         size\n" +
    "2025-01-02T06:00Z  success  2 min 05 s  2 (claimed 6)  1.4 MB\n2025-01-01 05:00   success\n";
  await runSteps(world({ runs, fileSets }).docket, [
    ["history 101", 0, table],
    ["history 101 --recipients", 0, /^started +status +displayName +emailAddress\n/],
    ["history 101 --columns id,took,automated", 0, /^id +took +automated\n/],
    ["filesets", 0, /^name +owner +permission +files +updated\n/],
    ["filesets --columns name,region", 0, "name  region\na     EU\n"],
  ]);
});

const PROBLEM = {
  title: "The request is not valid",
  detail: "/filters/0/field must be one of id, name",
  errors: [
    { pointer: "/filters/0/field", detail: "must be one of id, name" },
    { parameter: "limit", detail: "must be less" },
  ],
};

Deno.test("docket: an error says once what is wrong, by the names of options and settings", async () => {
  const failed = "The request to search file sets failed: ";
  const status = (status: number, body?: string): Fault => ({ kind: "status", status, body });
  const cases: [Fault, words: string, code: number, said: string][] = [
    [
      status(400, JSON.stringify(PROBLEM)),
      "filesets owner:a --limit 5",
      2,
      `^${failed}status 400\n  filters/0/field: must be one of id, name\n  --limit: must be less\n$`,
    ],
    [
      { kind: "status", status: 409, body: "full", headers: { "x-request-id": "r7" } },
      "filesets",
      1,
      `^${failed}status 409\n  full\n  request id r7\n$`,
    ],
    [
      { kind: "reset", at: "headers" },
      "recipients 101,102 --statuses ok=good",
      1,
      "^The request .* the service could not be reached: connection reset, after 3 attempts\n" +
      "  check DOCKET_URL, https://service.example\n$",
    ],
    [status(401), "filesets", 1, "\n  DOCKET_TOKEN was rejected by https://service.example\n"],
    [status(403), "history 101", 1, "service.example does not allow this with DOCKET_TOKEN\n"],
    [{ kind: "html" }, "filesets", 1, "The answer is a web page: check DOCKET_URL, https://serv"],
    [status(404), "watch list", 1, "use Docket's records .*\n  DOCKET_URL must be that of"],
    [status(404, "<html>"), "judge 101", 1, "a web page: it is not there, or check DOCKET_URL"],
  ];
  for (const [fault, words, expected, said] of cases) {
    const { docket } = world({ faults: () => fault });
    await runSteps(docket, [[words, expected, "", new RegExp(said)]]);
  }
});

Deno.test("docket: what may have been done is not sent twice, unlike what only reads", async () => {
  const { docket, service } = world({ faults: () => ({ kind: "reset", at: "headers" }) });
  await runSteps(docket, [["watch add 1", 1, "", /could not be reached: connection reset\n/]]);
  assertEquals(service.requests.length, 1);
  await runSteps(docket, [["watch list", 1, "", /, after 3 attempts\n/]]);
  assertEquals(service.requests.length, 4);
});
