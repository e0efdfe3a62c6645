import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import type { Io } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import {
  createTestService,
  makeFileSets,
  makeRuns,
  type TestService,
  type TestServiceOptions,
} from "../../lib/testing.ts";

const TOKEN = "cli-token-4711";

interface World {
  readonly service: TestService;
  readonly files: Map<string, string>;
  /** Runs the command line; what it wrote is counted from the beginning of this run. */
  docket(...words: string[]): Promise<{ code: number; out: string; err: string }>;
}

function world(
  options: TestServiceOptions = {},
  { env = {}, isTerminal = false, onWrite }: {
    env?: Record<string, string | undefined>;
    isTerminal?: boolean;
    onWrite?: (interrupt: () => void, out: string) => void;
  } = {},
): World {
  const service = createTestService({
    fileSets: makeFileSets(250),
    runs: { 101: makeRuns(120) },
    token: TOKEN,
    ...options,
  });
  const files = new Map<string, string>();
  const all: Record<string, string | undefined> = {
    DOCKET_URL: "https://service.example",
    DOCKET_TOKEN: TOKEN,
    ...env,
  };
  return {
    service,
    files,
    async docket(...words) {
      let out = "";
      let err = "";
      let interrupt = () => {};
      const io: Io = {
        env: (name) => all[name],
        out: {
          isTerminal,
          write: (text) => {
            out += text;
            onWrite?.(interrupt, out);
            return Promise.resolve();
          },
        },
        err: {
          isTerminal,
          write: (text) => {
            err += text;
            return Promise.resolve();
          },
        },
        readFile: (path) => Promise.resolve(files.get(path)),
        writeFile: (path, text) => Promise.resolve(void files.set(path, text)),
        removeFile: (path) => Promise.resolve(void files.delete(path)),
        onInterrupt: (callback) => {
          interrupt = callback;
          return () => {
            interrupt = () => {};
          };
        },
        fetch: service.fetch,
      };
      const code = await run(words, io);
      assert(!(out + err).includes(TOKEN), "the token was written");
      return { code, out, err };
    },
  };
}

Deno.test("docket filesets: one page as a table, with the words of the URL", async () => {
  const { docket, service } = world();
  const { code, out } = await docket(
    ...["filesets", "--filter", "!owner:EQUALS:ann,bob", "--sort", "name:DESC"],
    ...["--date", "created:2025-01-01T00:00:00Z..", "--limit", "2", "--columns", "name,fileCount"],
  );
  assertEquals(out, "name         fileCount\nFile set 98         18\nFile set 95         15\n");
  assertEquals(code, 0);
  assertEquals(JSON.parse(service.requests[0].body!), {
    fieldSort: [{ field: "name", order: "DESC" }],
    filters: [{ field: "owner", operator: "EQUALS", value: ["ann", "bob"], not: true }],
    dateFilters: [{ field: "created", start: "2025-01-01T00:00:00Z" }],
  });
});

Deno.test("docket filesets: every format, one page or all", async () => {
  const { docket } = world();
  const page = await docket("filesets", "--limit", "3", "--offset", "247", "--format", "json");
  assertEquals(JSON.parse(page.out), makeFileSets(3, 247));
  assertEquals((await docket("filesets", "--offset", "999", "--format", "json")).out, "[]\n");

  const ndjson = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals(ndjson.out.trimEnd().split("\n").map((line) => JSON.parse(line)), makeFileSets(250));

  const csv = await docket("filesets", "--all", "--format", "csv", "-c", "id,owner");
  assertEquals(csv.out.split("\r\n").length, 252);
  assertStringIncludes(csv.out, "id,owner\r\n00000000-0000-4000-8000-000000000000,ann\r\n");

  const table = await docket("filesets", "--all", "-c", "name");
  assertEquals(table.out.split("\n").length, 252);
  const chosen = await docket("filesets", "--limit", "1", "--format", "ndjson", "-c", "name");
  assertEquals(chosen.out, `{"name":"File set 0"}\n`);
});

Deno.test("docket history: as JSON, each run says which schedule it is of", async () => {
  const { docket } = world();
  for (const all of [[], ["--all"]]) {
    const { out } = await docket("history", "101", ...all, "--format", "ndjson");
    const runs = out.trim().split("\n").map((line: string) => JSON.parse(line));
    assertEquals(
      new Set(runs.map((run: { scheduleId: number }) => run.scheduleId)),
      new Set([101]),
    );
  }
});

Deno.test("docket history: runs, and one row a recipient", async () => {
  const { docket } = world();
  const runs = await docket("history", "101", "--all", "--format", "csv", "-c", "id,status");
  assertEquals(runs.out.split("\r\n").slice(0, 2), ["id,status", "120,failure"]);
  assertEquals(runs.out.split("\r\n").length, 122);
  const recipients = await docket("history", "101", "--all", "--recipients", "--format", "csv");
  assertEquals(recipients.out.split("\r\n").length, 242);
  assertStringIncludes(
    recipients.out,
    "120,2025-05-01T06:00:00.000Z,failure,1,Ann,ann@example.com",
  );
});

Deno.test("docket: control characters of the service do not reach the terminal in a table", async () => {
  const { docket } = world({ fileSets: [{ id: "a", name: "\x1b[31mred\x07\u2028\x9b" }] });
  assertEquals(
    (await docket("filesets", "-c", "name")).out,
    "name\n\ufffd[31mred\ufffd\ufffd\ufffd\n",
  );
});

Deno.test("docket: wrong words and a missing environment end with 2 and say what to do", async () => {
  const cases: [string[], RegExp][] = [
    [["files"], /Unknown command "files"/],
    [["filesets", "--nonsense"], /nonsense/],
    [["filesets", "extra"], /takes no "extra"/],
    [["filesets", "--skip", "3"], /takes no --skip/],
    [["filesets", "--limit", "0"], /--limit: limit must be an integer of at least 1/],
    [["filesets", "--filter", ":EQUALS:x"], /--filter: .*names no field/],
    [["filesets", "--format", "xml"], /--format must be table, csv, ndjson, json/],
    [["filesets", "--resume", "f"], /--resume needs --all/],
    [["filesets", "--all", "--resume", "f"], /--resume needs --format csv or ndjson/],
    [["filesets", "--prefetch", "x"], /--prefetch must be an integer/],
    [["history"], /history needs the id/],
    [["history", "x1"], /an integer/],
    [["history", "1", "2"], /takes one id/],
    [["history", "1", "--filter", "a:EQUALS:b"], /takes no --filter/],
    [["filesets", "--token", "abc"], /never an argument.*DOCKET_TOKEN/],
    [["filesets", "--token=abc"], /never an argument/],
  ];
  for (const [words, message] of cases) {
    const { docket, service } = world();
    const { code, out, err } = await docket(...words);
    assertEquals([code, out, service.requests.length], [2, "", 0], words.join(" "));
    assertMatch(err, message);
  }
  for (const name of ["DOCKET_URL", "DOCKET_TOKEN"]) {
    const { docket } = world({}, { env: { [name]: undefined } });
    const { code, err } = await docket("filesets");
    assertEquals(code, 2);
    assertStringIncludes(err, `${name} is not set`);
  }
  const { docket } = world({}, { env: { DOCKET_URL: "service.example" } });
  assertEquals((await docket("filesets")).code, 2);
});

Deno.test("docket: the service's refusal, its faults and its failures have codes of their own", async () => {
  const refused = await world({ token: "another" }).docket("filesets");
  assertEquals(refused.code, 4);
  assertStringIncludes(refused.err, "status 401: The token is not valid");

  const problem = {
    detail: "Not usable",
    errors: [{ parameter: "limit", detail: "At most 1000" }],
  };
  const faulty = await world({
    faults: () => ({ kind: "status", status: 400, body: JSON.stringify(problem) }),
  }).docket("filesets", "--limit", "5000");
  assertEquals(faulty.code, 1);
  assertStringIncludes(faulty.err, "Not usable\n  limit: At most 1000\n");

  const html = await world({ faults: () => ({ kind: "html" }) }).docket("filesets");
  assertEquals([html.code, html.out], [1, ""]);
  assertStringIncludes(html.err, "is not JSON");
  assertEquals((await world().docket("history", "999")).code, 1);
});

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
    const words = ["filesets", "--all", "--format", format, "--resume", "place.json"];
    const first = await docket(...words);
    assertEquals(first.code, 1);
    assertEquals(JSON.parse(files.get("place.json")!).position, 600);
    const stillBroken = await docket(...words);
    assertEquals([stillBroken.code, stillBroken.out], [1, ""]);
    broken = false;
    const second = await docket(...words);
    assertEquals([second.code, files.size], [0, 0]);
    const whole = await docket("filesets", "--all", "--format", format);
    assertEquals(first.out + second.out, whole.out);
  }
});

Deno.test("docket --resume: another query's file, and one that is none, end with 2", async () => {
  const { docket, files } = world();
  files.set("place.json", "no JSON");
  const words = ["--all", "--format", "csv", "--resume", "place.json"];
  assertStringIncludes((await docket("filesets", ...words)).err, "place.json is not a checkpoint");
  files.set("place.json", `{"version":1,"query":"x","position":1,"start":0,"count":1,"last":[]}`);
  const { code, err } = await docket("filesets", ...words);
  assertEquals(code, 2);
  assertStringIncludes(err, "of the same query");
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
  const words = ["filesets", "--all", "--format", "ndjson", "--resume", "place.json"];
  const first = await docket(...words);
  assertEquals(first.code, 130);
  const second = await docket(...words);
  assertEquals(second.code, 0);
  const rows = (first.out + second.out).trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows, makeFileSets(2000));
});

Deno.test("docket: progress and the total are told on a terminal only", async () => {
  const silent = await world({ fileSets: makeFileSets(2000) }).docket("filesets", "--all");
  assertEquals(silent.err, "");
  const shown = world({ fileSets: makeFileSets(2000) }, { isTerminal: true });
  assertMatch((await shown.docket("filesets", "--all")).err, /^\r\d+ of 2000 rows/);
  assertMatch((await shown.docket("filesets")).err, /^100 of 2000 file sets; --all/);
});

Deno.test("docket --version: that of deno.json, without a service", async () => {
  const { docket } = world({}, { env: { DOCKET_URL: undefined } });
  assertEquals(await docket("--version"), { code: 0, out: `${denoConfig.version}\n`, err: "" });
});

Deno.test("docket --help: every command, option and exit code, without a service", async () => {
  const { docket } = world({}, { env: { DOCKET_URL: undefined, DOCKET_TOKEN: undefined } });
  const overview = await docket("--help");
  assertEquals([overview.code, (await docket()).out], [0, overview.out]);
  for (const code of [0, 1, 2, 3, 4, 130]) {
    assertMatch(overview.out, new RegExp(`^  ${code} `, "m"));
  }
  const options = "filter date sort limit offset columns format all resume prefetch verify";
  const fileSets = (await docket("filesets", "--help")).out;
  for (const name of options.split(" ")) assertStringIncludes(fileSets, `--${name}`);
  const history = (await docket("help", "history")).out;
  for (const name of ["recipients", "skip"]) assertStringIncludes(history, `--${name}`);
  for (const text of [fileSets, history]) assertStringIncludes(text, "Examples:");
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

Deno.test("docket check: every field with what came, and 1 when the client can't work with it", async () => {
  const good = await world().docket("check", "101");
  assertEquals([good.code, good.err], [0, ""]);
  assertStringIncludes(good.out, "search file sets: 100 rows\n");
  assertStringIncludes(good.out, "get report history: 100 rows\n");
  assertMatch(good.out, /^ok +fileSets\[\]\.fileCount +integer +integer 100 +0$/m);
  assert(!good.out.includes("ann@example.com"), "a value was written");

  const bad = await world({ quirks: { total: String } }).docket("check");
  assertEquals(bad.code, 1);
  assertMatch(bad.out, /^BAD +pageContext\.total +integer +string 1 +0$/m);
  assertEquals((await world().docket("check", "--all")).code, 2);
});
