import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import { runSteps, world } from "./world.ts";

Deno.test("docket filesets: a query is one argument or several, its days are those of --zone", async () => {
  const { docket, service } = world();
  const range = { start: "2025-12-31T23:00:00Z", end: "2026-01-31T23:00:00Z" };
  for (const word of ["payroll", "has", '"limit"']) {
    // It may begin with a word that a hyphen negates.
    const args = [`-${word}`, "created:2026-01 owner:ann sort:-name"];
    const value = [word.replaceAll('"', "")];
    for (const query of [args, [args.join(" ")]]) {
      const { code } = await docket("filesets", ...query, "--zone", "Europe/Berlin");
      assertEquals(code, 0, word);
      const { filters, dateFilters, fieldSort } = JSON.parse(service.requests.at(-1)!.body!);
      assertEquals(filters[0], { field: "name", operator: "LIKE", value, not: true });
      assertEquals([filters.length, dateFilters], [2, [{ field: "created", ...range }]]);
      assertEquals(fieldSort, [{ field: "name", order: "DESC" }]);
    }
  }
});

Deno.test("docket filesets: every format, some rows or all", async () => {
  const rows = makeFileSets(250).map((row) => JSON.stringify(row));
  const some = "100 of 250 file sets; --all writes every one\n";
  await runSteps(world().docket, [
    ["--limit 3 --format json", 0, `[\n${rows.slice(0, 3).join(",\n")}\n]\n`, /^3 of 250 /],
    ["--all --format ndjson", 0, `${rows.join("\n")}\n`],
    ["--all --json", 0, `[\n${rows.join(",\n")}\n]\n`],
    ["--all --format csv --columns id,owner", 0, /^id,owner\r\n0{8}-.*,ann\r\n(.*\r\n){249}$/],
    ["--all --columns files", 0, /^fileCount\n( *\d+\n){250}$/],
    ["--format ndjson --columns name", 0, /^\{"name":"File set 0"\}\n(.*\n){99}$/, some],
  ], "filesets");
});

Deno.test("docket history: runs, and one row a recipient", async () => {
  const recipients = /^.*\r\n.*120,2025-05-01T06:00:00.000Z,failure,1,Ann,ann@.*\r\n(.*\r\n){239}$/;
  await runSteps(world().docket, [
    ["--format csv --columns id,status", 0, /^id,status\r\n120,failure\r\n(.*\r\n){119}$/],
    ["--recipients --format csv", 0, recipients],
    ["--recipients --columns cardCount,userId", 0, /^cardCount {2}userId\n/],
  ], "history 101 --all");
});

Deno.test("docket: a list says when it is not all, or is empty", async () => {
  const nobody = "No file sets match. The whole value of owner has to match, in the same case. " +
    "For a part, in any case, write owner:~ and the text.\n";
  const more = "and there are more; --all writes every one\n";
  await runSteps(world({ runs: { 101: makeRuns(120), 103: [] } }).docket, [
    ["history 101", 0, /./, `100 runs, ${more}`],
    ["history 101 --limit 1", 0, /./, `1 run, ${more}`],
    ["history 101 --limit 120", 0, /./],
    ["history 101 --limit 1500", 0, /./],
    ["history 103", 0, "", "No runs\n"],
    ["filesets owner:nobody", 0, "", nobody],
    ["filesets created:2020", 0, "", "No file sets match.\n"],
    ["filesets nothing --json", 0, "[]\n"],
  ]);
  const { docket } = world({ fileSets: [] }, { isTerminal: true });
  await runSteps(docket, [["filesets --json", 0, "[]\n", /There are no file sets yet\n$/]]);
});

Deno.test("docket filesets: finds by name where the service does not know LIKE, and says so", async () => {
  const note = "The service does not know LIKE, so Docket filtered all 250 file sets itself\n";
  const rest = "5 of 13 file sets; --all writes every one\n";
  await runSteps(world({ profile: "minimal" }).docket, [
    ["--limit=5", 0, /^(.*\r\n){6}$/, note + rest],
    ["--all", 0, /^(.*\r\n){14}$/, note],
  ], 'filesets "SET 12" --format csv');
});

Deno.test("docket check: each field with what came; 1 for a bad one, 3 without rows", async () => {
  const { code, out, err } = await world().docket("check 101");
  assertEquals([code, err, out.split("\n").length], [0, "", 10 + 4 + 18 + 3 + 2]);
  assertMatch(out, /^fileSets\[\]\.fileCount +integer +100 +0$/m);
  assertMatch(out, /^\[\]\.recipients\[\]\.userId +integer +200 +0$/m);
  assert(!out.includes("ann@example.com"), "a value was written");
  const fileSets = [{ id: "a", "by ada@example.com": 1 }, { id: "b", size: 2 ** 60 }];
  const bad =
    /by a…@example.com +\(not listed\) +1 +0\n(.*\n)+.*total +integer +0 +1\n(.*\n)+.*size +exact +0 +1\n/;
  await runSteps(world({ quirks: { total: String }, fileSets } as never).docket, [
    ["check 101", 1, bad],
  ]);
  const unseen = /^\[\]\.id +integer +0 +0$/m;
  await runSteps(world({ runs: { 101: [] } }).docket, [
    ["check 101", 3, unseen],
    ["check 101 --json", 3, /^\[\n\{"field":"fileSets\[\]\.id","interface":"string",/],
  ]);
});

Deno.test("docket --all: rows that changed meanwhile end with 3", async () => {
  const { docket } = world({
    change: (service, { index }) => {
      if (index === 1) service.fileSets.unshift(...makeFileSets(2, 9000));
    },
  });
  const { code, out, err } = await docket("filesets --all --format ndjson");
  assertEquals([code, out.trimEnd().split("\n").length], [3, 250]);
  assertStringIncludes(err, "Some rows may be missing or listed twice: total, repeated");
});

Deno.test("docket --all: progress is shown on a terminal, and an interruption ends with 130", async () => {
  let interrupt = () => {};
  const { docket } = world({ fileSets: makeFileSets(2000) }, {
    isTerminal: true,
    onInterrupt: (callback) => interrupt = callback,
    onWrite: (out) => out.length < 60_000 || interrupt(),
  });
  const { code, out, err } = await docket("filesets --all --format ndjson");
  assertEquals(code, 130);
  const [, page, read] = /\rpage (\d+), ([\d,]+) of 2,000 rows/.exec(err)!;
  assertEquals(Number(page), 1 + Math.ceil(Number(read.replace(",", "")) / 100));
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows, makeFileSets(rows.length));
});

Deno.test("docket: a reader that leaves ends it quietly", async () => {
  const onWrite = () => {
    throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  };
  const { code, err } = await world({}, { onWrite }).docket("filesets --all");
  assertEquals([code, err], [141, ""]);
});
