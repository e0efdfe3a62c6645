import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket --all: rows that changed meanwhile end with 3", async () => {
  const { docket } = world({
    change: (service, { index }) => {
      if (index === 1) service.fileSets.unshift(...makeFileSets(2, 9000));
    },
  });
  const { code, out, err } = await docket("filesets", "--all", "--format", "ndjson", "--verify");
  assertEquals(code, 3);
  assertEquals(out.trimEnd().split("\n").length, 250);
  assertStringIncludes(err, "Rows changed while they were read (total, shifted, repeated");
});

Deno.test("docket --resume: goes on behind the last row that was written", async () => {
  for (const format of ["csv", "ndjson"]) {
    let broken = true;
    const { docket, files } = world({
      fileSets: makeFileSets(1000),
      faults: ({ offset }) => broken && offset >= 600 ? { kind: "status", status: 404 } : undefined,
    });
    const args = ["filesets", "--all", "--format", format, "--resume", "place.json"];
    const first = await docket(...args);
    assertEquals(first.code, 1);
    assertEquals(JSON.parse(files.get("place.json")!).position, 600);
    const stillBroken = await docket(...args);
    assertEquals([stillBroken.code, stillBroken.out], [1, ""]);
    broken = false;
    const second = await docket(...args);
    assertEquals([second.code, files.size], [0, 0]);
    const whole = await docket("filesets", "--all", "--format", format);
    assertEquals(first.out + second.out, whole.out);
  }
});

Deno.test("docket --resume: another query's file, and one that is none, end with 2", async () => {
  const { docket, files } = world();
  files.set("place.json", "no JSON");
  const args = ["--all", "--format", "csv", "--resume", "place.json"];
  assertStringIncludes((await docket("filesets", ...args)).err, "place.json is not a checkpoint");
  files.set("place.json", `{"version":1,"query":"x","position":1,"start":0,"count":1,"last":[]}`);
  const { code, err } = await docket("filesets", ...args);
  assertEquals(code, 2);
  assertEquals(
    err,
    "--resume: place.json is not a checkpoint of the same query: delete it to start over, or name " +
      "another file\n",
  );
});

Deno.test("docket --resume: with another format or other columns, it writes nothing and says why", async () => {
  let broken = true;
  const { docket, service } = world({
    faults: ({ offset }) => broken && offset >= 200 ? { kind: "status", status: 404 } : undefined,
  });
  const args = ["filesets", "--all", "--resume", "place.json", "--format"];
  assertEquals((await docket(...args, "ndjson")).code, 1);
  broken = false;
  const sent = service.requests.length;
  for (const other of [["csv"], ["ndjson", "--columns", "id"]]) {
    const { code, out, err } = await docket(...args, ...other);
    assertEquals([code, out], [2, ""]);
    assertMatch(
      err,
      /^--resume: place.json belongs to --format ndjson, not --format \S+ --columns id/,
    );
  }
  assertEquals(service.requests.length, sent);
  const rest = await docket(...args, "ndjson");
  assertEquals([rest.code, rest.out.trimEnd().split("\n").length], [0, 50]);
});

Deno.test("docket --resume: a file that can't be read or written ends with 2 before the first row", async () => {
  const { docket } = world();
  const args = ["history", "101", "--all", "--format", "csv", "--resume"];
  assertEquals(await docket(...args, "none/place.json"), {
    code: 2,
    out: "",
    err: "--resume: none/place.json can't be written (ENOENT)\nSee docket history --help\n",
  });
  const { code, err } = await docket(...args, "folder/");
  assertEquals(code, 2);
  assertStringIncludes(err, "--resume: folder/ can't be read (a folder)");
});

Deno.test("docket --all: an interruption ends with 130, and can be resumed", async () => {
  let interrupted = false;
  const { docket } = world({ fileSets: makeFileSets(2000) }, {
    onWrite: (interrupt, out) => {
      if (interrupted || out.length < 60_000) return;
      interrupted = true;
      interrupt();
    },
  });
  const args = ["filesets", "--all", "--format", "ndjson", "--resume", "place.json"];
  const first = await docket(...args);
  assertEquals(first.code, 130);
  const second = await docket(...args);
  assertEquals(second.code, 0);
  const rows = (first.out + second.out).trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows, makeFileSets(2000));
});

Deno.test("docket: progress is shown on a terminal only", async () => {
  const silent = await world({ fileSets: makeFileSets(2000) }).docket("filesets", "--all");
  assertEquals(silent.err, "");
  const shown = world({ fileSets: makeFileSets(2000) }, { isTerminal: true });
  assertMatch((await shown.docket("filesets", "--all")).err, /\rpage \d+, [\d,]+ of 2,000 rows/);
  // By the clock of this world, the wait never ends.
  const faults = [{ kind: "status", status: 503 }] as const;
  const waiting = world({ faults }, { isTerminal: true, now: () => 0 });
  assertMatch((await waiting.docket("filesets", "--all")).err, / rows, waiting \d+ s for the/);
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

Deno.test("docket: a page that is not all says so, on a terminal and without one", async () => {
  for (const isTerminal of [true, false]) {
    const { docket } = world({ fileSets: makeFileSets(2000) }, { isTerminal });
    assertEquals(
      (await docket("filesets")).err,
      "100 of 2,000 file sets; --all writes every one\n",
    );
    assertEquals(
      (await docket("history", "101")).err,
      "100 runs, and there are more; --all writes every one\n",
    );
  }
  assertEquals(
    (await world().docket("history", "101", "--limit", "1")).err,
    "1 run, and there are more; --all writes every one\n",
  );
  const { docket, service } = world();
  assertEquals((await docket("filesets", "--limit", "250")).err, "");
  assertEquals(service.requests.length, 1, "a total that fits is believed");
  assertEquals((await docket("history", "101", "--limit", "120")).err, "");
  assertEquals(
    (await docket("history", "101", "--skip", "500")).err,
    "No runs after the first 500\n",
  );
});

Deno.test("docket: a page that the service cut short is not taken for all", async () => {
  const capped = world({ quirks: { mostRows: 50 } });
  assertMatch((await capped.docket("history", "101")).err, /^50 runs, and there are more/);
  const wrong = world({ quirks: { mostRows: 50, total: () => 0 } });
  assertMatch((await wrong.docket("filesets")).err, /^50 file sets, and there are more/);
  const failing = world({ faults: [undefined, { kind: "status", status: 400 }] });
  const { err } = await failing.docket("history", "101", "--limit", "120");
  assertMatch(err, /^120 runs, and there are more/, "where asking for one more fails");
});

Deno.test("docket --all: a total that the rows disprove is reported, and no row is missing", async () => {
  const quirks = { mostRows: 50, total: () => 120 };
  const { docket } = world({ fileSets: makeFileSets(257), quirks });
  const { code, out, err } = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals([code, out.trimEnd().split("\n").length], [3, 257]);
  assertMatch(err, /^The service says total 120, but its rows say 150: .*\n$/);
});

Deno.test("docket --max: at most that many rows, from as many pages as needed", async () => {
  const { docket, service } = world();
  const { code, out } = await docket("filesets", "--max", "120", "--format", "ndjson");
  assertEquals([code, out.trimEnd().split("\n").length], [0, 120]);
  assert(service.requests.length < 10);
});

Deno.test("docket --curl: the request as a command, and nothing is sent", async () => {
  const { docket, service } = world();
  const { code, out } = await docket("history", "101", "--limit", "5", "--curl");
  assertEquals(code, 0);
  assertMatch(out, /^curl 'https:.*\/101\/history\?limit=5&skip=0'/);
  assertStringIncludes(out, "$DOCKET_TOKEN");
  assertEquals(service.requests.length, 0);
});
