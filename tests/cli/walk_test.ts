import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
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

Deno.test("docket --all: progress is shown on a terminal, and an interruption ends with 130", async () => {
  let interrupt = () => {};
  const { docket } = world({ fileSets: makeFileSets(2000) }, {
    isTerminal: true,
    onInterrupt: (callback) => interrupt = callback,
    onWrite: (out) => out.length < 60_000 || interrupt(),
  });
  const { code, out, err } = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals(code, 130);
  assertMatch(err, /\rpage \d+, [\d,]+ of 2,000 rows/);
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows, makeFileSets(rows.length));
});

Deno.test("docket: a reader that leaves ends it quietly", async () => {
  const onWrite = () => {
    throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  };
  const { code, err } = await world({}, { onWrite }).docket("filesets", "--all");
  assertEquals([code, err], [141, ""]);
});
