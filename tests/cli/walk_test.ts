import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describeWalk } from "../../cli/progress.ts";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket --all: rows that changed meanwhile end with 3", async () => {
  const { docket } = world({
    change: (service, { index }) => {
      if (index === 1) service.fileSets.unshift(...makeFileSets(2, 9000));
    },
  });
  const { code, out, err } = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals(code, 3);
  assertEquals(out.trimEnd().split("\n").length, 250);
  assertStringIncludes(err, "Some rows may be missing or listed twice: total, repeated");
});

Deno.test("docket --all: an interruption ends with 130", async () => {
  let interrupt = () => {};
  const { docket } = world({ fileSets: makeFileSets(2000) }, {
    onInterrupt: (callback) => interrupt = callback,
    onWrite: (out) => out.length < 60_000 || interrupt(),
  });
  const { code, out } = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals(code, 130);
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows, makeFileSets(rows.length));
});

Deno.test("docket: progress is shown on a terminal only", async () => {
  const silent = await world({ fileSets: makeFileSets(2000) }).docket("filesets", "--all");
  assertEquals(silent.err, "");
  const shown = world({ fileSets: makeFileSets(2000) }, { isTerminal: true });
  assertMatch((await shown.docket("filesets", "--all")).err, /\rpage \d+, [\d,]+ of 2,000 rows/);
  const report = { pages: 2, items: 1204, total: 5000 };
  assertEquals(describeWalk(report), "page 3, 1,204 of 5,000 rows");
});

Deno.test("docket: a reader that leaves ends it quietly", async () => {
  const { docket } = world({}, {
    onWrite: () => {
      throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    },
  });
  const { code, err } = await docket("filesets", "--all");
  assertEquals([code, err], [141, ""]);
});

Deno.test("docket: a list that is not all says so, and one that is does not", async () => {
  const { docket } = world({ fileSets: makeFileSets(2000) });
  const { err } = await docket("filesets", "--offset", "0");
  assertEquals(err, "100 of 2,000 file sets; --all writes every one\n");
  const history = await docket("history", "101");
  assertEquals(history.err, "100 runs, and there are more; --all writes every one\n");
  assertEquals(history.out.split("\n").length, 102);
  const cases = {
    "--limit 1": "1 run, and there are more; --all writes every one\n",
    "--limit 120 --skip 0": "",
    "--limit 1500": "",
    "--skip 500": "No runs after the first 500\n",
  };
  for (const [options, said] of Object.entries(cases)) {
    assertEquals((await docket(`history 101 ${options}`)).err, said, options);
  }
});
