import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import { TOKEN, world } from "./world.ts";

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

Deno.test("docket filesets: a query, and further conditions", async () => {
  const { docket, service } = world();
  const words = ["-permission:READ", "payroll created:2026-01", "owner:ann"];
  for (const query of [words, [words.join(" ")]]) {
    const { code, err } = await docket(
      ...["filesets", ...query, "--zone", "Europe/Berlin", "--filter", "fileCount:GREATER_THAN:3"],
      ...["--sort", "name", "--date", "updated:2026-01-01T00:00:00Z.."],
    );
    assertEquals([code, err.includes("Usage")], [0, false]);
    assertEquals(JSON.parse(service.requests.at(-1)!.body!), {
      fieldSort: [{ field: "name", order: "ASC" }],
      filters: [
        { field: "permission", operator: "EQUALS", value: ["READ"], not: true },
        { field: "name", operator: "LIKE", value: ["payroll"] },
        { field: "owner", operator: "EQUALS", value: ["ann"] },
        { field: "fileCount", operator: "GREATER_THAN", value: ["3"] },
      ],
      dateFilters: [
        { field: "created", start: "2025-12-31T23:00:00Z", end: "2026-01-31T23:00:00Z" },
        { field: "updated", start: "2026-01-01T00:00:00Z" },
      ],
    });
  }
});

Deno.test("docket filesets: a query may begin with a word that a hyphen negates", async () => {
  const { docket, service } = world();
  for (const word of ["payroll", "contracts", "survey", "draft", "Finance", "has", '"limit"']) {
    const { code } = await docket("filesets", `-${word}`, "-c", "id", "--limit", "2");
    assertEquals(code, 0, word);
    assertEquals(JSON.parse(service.requests.at(-1)!.body!).filters, [
      { field: "name", operator: "LIKE", value: [word.replaceAll('"', "")], not: true },
    ]);
  }
});

Deno.test("docket filesets: short options are options, also with their value at once", async () => {
  const { docket, service } = world();
  for (const isSplit of [false, true]) {
    const words = ["-cname,files", "-sfiles:DESC", "-fowner:EQUALS:ann", "-dcreated:2025-01-01.."];
    const split = words.flatMap((word) => isSplit ? [word.slice(0, 2), word.slice(2)] : [word]);
    const { code, out } = await docket("filesets", ...split, "--limit", "1");
    assertEquals([code, out.split("\n")[0]], [0, "name         fileCount"]);
    assertEquals(JSON.parse(service.requests.at(-1)!.body!), {
      fieldSort: [{ field: "fileCount", order: "DESC" }],
      filters: [{ field: "owner", operator: "EQUALS", value: ["ann"] }],
      dateFilters: [{ field: "created", start: "2025-01-01" }],
    });
  }
});

Deno.test("docket filesets: the name of a range is sent as its times", async () => {
  const { docket, service } = world();
  await docket("filesets", "updated:today", "--date", "created:today");
  const { dateFilters } = JSON.parse(service.requests[0].body!);
  for (const filter of dateFilters) assertEquals(Object.keys(filter), ["field", "start", "end"]);
});

Deno.test("docket filesets: an error of a query points at the place", async () => {
  const { docket } = world();
  const { code, err } = await docket("filesets", "owner:Finance colour:red files:x");
  assertEquals(code, 2);
  const lines = err.split("\n");
  assertMatch(lines[0], /^No field is called colour\. Fields: id, name,/);
  assertEquals(lines.slice(1, 3), [
    "  owner:Finance colour:red files:x",
    "                ^^^^^^",
  ]);
  assertMatch(lines[3], /^Write a number, such as 100/);
  assertEquals(lines[5].indexOf("^"), lines[4].indexOf(":x") + 1);
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

Deno.test("docket filesets: options take the names of fields that queries know", async () => {
  const { docket, service } = world();
  const { code, out } = await docket(
    ...["filesets", "-c", "files,created-by", "--limit", "1", "--sort", "files:DESC"],
    ...["--filter", "created-by:EQUALS:7", "--filter", "Files:EQUALS:1"],
  );
  assertEquals([code, out.trim().split(/\s+/)], [0, ["fileCount", "createdBy"]]);
  const { filters, fieldSort } = JSON.parse(service.requests[0].body!);
  assertEquals(filters.map(({ field }: { field: string }) => field), ["createdBy", "Files"]);
  assertEquals(fieldSort, [{ field: "fileCount", order: "DESC" }]);
});

Deno.test("docket: where nothing is found, it says so and what may be meant", async () => {
  const { docket } = world({ runs: { 103: [] } }, { isTerminal: true });
  const nobody = ["--filter", "owner:EQUALS:nobody"];
  const said = "No file sets match. The whole value of owner has to match, in the same case. " +
    "For a part, in any case, write owner:~ and the text.\n";
  for (const all of [[], ["--all"]]) {
    // What comes before is the progress line, which is taken away.
    const lastOf = ({ err }: { err: string }) => err.split("\x1b[K").at(-1);
    assertEquals(lastOf(await docket("filesets", ...nobody, ...all)), said);
    assertEquals(lastOf(await docket("history", "103", ...all)), "No runs\n");
  }
  const far = await docket("filesets", "--offset", "999");
  assertEquals(far.err, "No file sets after the first 999\n");
  assertEquals((await docket("filesets", "nothing", "--json")).err, "No file sets match.\n");
  const none = world({ fileSets: [] });
  assertEquals((await none.docket("filesets")).err, "There are no file sets yet\n");
  assertEquals((await none.docket("filesets", ...nobody, "--json")).err, "");
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
    [["fileset"], /Unknown command "fileset" \(did you mean "filesets"\?\)/],
    [["filesets", "--nonsense"], /nonsense/],
    [["filesets", "--limti", "3"], /limti.*\(did you mean "--limit"\?\)/],
    [["filesets", "-c", "id,nope"], /no "nope": use id, name, description, created/],
    [["filesets", "-c", "ownr"], /no "ownr" \(did you mean "owner"\?\)/],
    [["history", "101", "-c", "emailAddress"], /no "emailAddress"/],
    [["filesets", "--timeout", "0"], /--timeout must be a number of seconds/],
    [["filesets", "--attempts", "0"], /--attempts must be a whole number of at least 1/],
    [["filesets", "--max", "0"], /--max must be a whole number of at least 1/],
    [["filesets", "--token-file", "none"], /there is no file none/],
    [["judge"], /judge needs the id/],
    [["judge", "x"], /a whole number/],
    [["judge", "1", "--zone", "UTC"], /--zone needs --cron/],
    [["judge", "1", "--grace", "20m"], /--grace needs --cron/],
    [
      ["judge", "1", "--cron", "0 6 * *"],
      /--cron can't be "0 6 \* \* *": it must have five fields/,
    ],
    [["judge", "1", "--cron", "0 25 * * *"], /--cron can't be .*: the hour must be 0 to 23/],
    [["judge", "1", "--cron", "0 6 * * *", "--zone", "Berln"], /--zone must be .*, not "Berln"/],
    [["judge", "1", "--cron", "0 6 * * *", "--grace", "soon"], /--grace must be a time such as/],
    [["judge", "1", "--service-zone", "Berln"], /--service-zone must be .*, not "Berln"/],
    [["history", "1", "--cron", "0 6 * * *"], /history takes no --cron/],
    [["assert"], /assert needs a condition/],
    [["assert", "owner:EQUALS:a", "--all"], /assert takes no --all/],
    [["completion", "tcsh"], /bash, zsh or fish/],
    [["schema", "x"], /schema needs a command/],
    [["filesets", "colour:red"], /No field is called colour/],
    [["filesets", "--skip", "3"], /takes no --skip/],
    [["filesets", "--limit", "0"], /^--limit must be a whole number from 1 to 1000$/m],
    [["filesets", "--limit", "5000"], /^--limit must be a whole number from 1 to 1000$/m],
    [["history", "101", "--json", "--format", "csv"], /^Use --json or --format csv$/m],
    [["filesets", "--filter", "owner:Finance"], /^--filter owner:Finance: write FIELD:OPERATOR:/],
    [["assert", "permission:READ"], /^permission:READ: write FIELD:OPERATOR:VALUE, such as/],
    [["assert", ":EQUALS:x"], /^:EQUALS:x: .*names no field/],
    [["filesets", "-limit", "3"], /^Unknown option -limit: write --limit, or '-"limit"' in a/],
    [["filesets", "--sort", "-updated"], /--sort/],
    [["filesets", "-x"], /Unknown option '-x'\nSee docket filesets --help\n$/],
    [["history", "-x", "1"], /Unknown option '-x'\nSee docket history --help\n$/],
    [["files", "-x"], /See docket --help\n$/],
    [["filesets", "--filter", ":EQUALS:x"], /^--filter :EQUALS:x: .*names no field/],
    [["filesets", "--columns", ""], /^--columns needs a value\nSee docket filesets --help\n$/],
    [["filesets", "-c", ","], /^--columns names no field\n/],
    [["filesets", "--filter", "id:EQUALS:1", "--filter", ""], /^--filter needs a value\n/],
    [["judge", "1", "--zone", "", "--cron", "0 6 * * *"], /^--zone needs a value\n/],
    [
      ["filesets", "東京 colour:red"],
      /No field is called colour\..*\n {2}東京 colour:red\n {7}\^{6}\n/,
    ],
    [["filesets", "--format", "xml"], /--format must be one of table, csv, ndjson, json/],
    [["filesets", "--resume", "f"], /--resume needs --all/],
    [["filesets", "--all", "--resume", "f"], /--resume needs --format csv or ndjson/],
    [["filesets", "--prefetch", "x"], /--prefetch must be a whole number/],
    [["history"], /history needs the id/],
    [["history", "x1"], /a whole number/],
    [["history", "1", "2"], /history takes one id, and not also "2"/],
    [["judge", "1", "x"], /a whole number from 0 to 9007199254740991, not "x"/],
    [["history", "1", "--filter", "a:EQUALS:b"], /takes no --filter/],
    [["filesets", "--resume"], /^--resume needs a value\nSee docket/],
    [
      ["filesets", "--offset", "-1"],
      /^--offset needs a value; if .*, write --offset=-…\nSee docket/,
    ],
    [["filesets", "-s", "-updated"], /^-s.* needs a value; if it begins with a hyphen, write /],
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
    assertStringIncludes(err, `${name} is not set: export the `);
  }
  const { docket } = world({}, { env: { DOCKET_URL: "service.example" } });
  const { code, err } = await docket("filesets");
  assertEquals(code, 2);
  assertMatch(err, /DOCKET_URL must be an http or https URL .*, such as http:/);
});

Deno.test("docket: the service's refusal, its faults and its failures have codes of their own", async () => {
  const refused = await world({ token: "another" }).docket("filesets");
  assertEquals(refused.code, 4);
  assertStringIncludes(refused.err, "status 401: The token is not valid");

  const problem = {
    detail: "Not usable",
    errors: [{ parameter: "limit", detail: "At most 100" }],
  };
  const faulty = await world({
    faults: () => ({ kind: "status", status: 400, body: JSON.stringify(problem) }),
  }).docket("filesets", "--limit", "500");
  assertEquals(faulty.code, 2);
  assertEquals(
    faulty.err,
    "The request to search file sets failed: status 400\n  --limit 500: At most 100\n",
  );

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

Deno.test("docket --resume: a file that can't be read or written ends with 2 before the first row", async () => {
  const { docket } = world();
  const words = ["history", "101", "--all", "--format", "csv", "--resume"];
  assertEquals(await docket(...words, "none/place.json"), {
    code: 2,
    out: "",
    err: "--resume: none/place.json can't be written (ENOENT)\nSee docket history --help\n",
  });
  const { code, err } = await docket(...words, "folder/");
  assertEquals(code, 2);
  assertStringIncludes(err, "--resume: folder/ can't be read (EISDIR)");
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

Deno.test("docket: progress is shown on a terminal only", async () => {
  const silent = await world({ fileSets: makeFileSets(2000) }).docket("filesets", "--all");
  assertEquals(silent.err, "");
  const shown = world({ fileSets: makeFileSets(2000) }, { isTerminal: true });
  assertMatch((await shown.docket("filesets", "--all")).err, /\rpage \d+, [\d,]+ of 2,000 rows/);
});

Deno.test("docket --version: that of deno.json, without a service", async () => {
  const { docket } = world({}, { env: { DOCKET_URL: undefined } });
  assertEquals(await docket("--version"), { code: 0, out: `${denoConfig.version}\n`, err: "" });
});

Deno.test("docket --help: every command, option and exit code, without a service", async () => {
  const { docket } = world({}, { env: { DOCKET_URL: undefined, DOCKET_TOKEN: undefined } });
  const overview = await docket("--help");
  assertEquals([overview.code, (await docket()).out], [0, overview.out]);
  for (const code of [0, 1, 2, 3, 4, 5, 130]) {
    assertMatch(overview.out, new RegExp(`^  ${code} `, "m"));
  }
  const options = "filter date sort limit offset columns format all max resume prefetch verify " +
    "json curl timeout attempts debug token-file profile";
  // An option says what it is for in that command.
  const [asserting, judging] = [await docket("assert", "--help"), await docket("judge", "--help")];
  assertMatch(asserting.out, /--max N +how many file sets may match/);
  assertMatch(judging.out, /--zone ZONE +the time zone of --cron/);
  const fileSets = (await docket("filesets", "--help")).out;
  for (const name of options.split(" ")) assertStringIncludes(fileSets, `--${name}`);
  const history = (await docket("help", "history")).out;
  for (const name of ["completion", "schema"]) {
    const own = (await docket(name, "--help")).out;
    assert(own.startsWith(`docket ${name} `), own);
    assertEquals((await docket("help", name)).out, own);
  }
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
  assertStringIncludes(good.out, "\n\nget report history: 100 rows\n");
  assert(!good.out.endsWith("\n\n"), "an empty line at the end");
  assertMatch(good.out, /^ok +fileSets\[\]\.fileCount +integer +integer 100 +0$/m);
  assert(!good.out.includes("ann@example.com"), "a value was written");

  const bad = await world({ quirks: { total: String } }).docket("check");
  assertEquals(bad.code, 1);
  assertMatch(bad.out, /^BAD +pageContext\.total +integer +string 1 +0$/m);
  assertEquals((await world().docket("check", "--all")).code, 2);
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
});

Deno.test("docket --all: a total that the rows disprove ends with 3, and no row is missing", async () => {
  const { docket } = world({
    fileSets: makeFileSets(257),
    quirks: { mostRows: 50, total: () => 120 },
  });
  const { code, out, err } = await docket("filesets", "--all", "--format", "ndjson");
  assertEquals([code, out.trimEnd().split("\n").length], [3, 257]);
  assertMatch(err, /^The service says total 120, but its rows say 150/);
});

Deno.test("docket --max: at most so many rows, from as many pages as it takes", async () => {
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

Deno.test("docket --attempts, --timeout, --debug: how requests are sent, and a line for each", async () => {
  const { docket, service } = world({ faults: () => ({ kind: "status", status: 503 }) });
  const { code, err } = await docket("filesets", "--attempts", "1", "--debug");
  assertEquals([code, service.requests.length], [1, 1]);
  assertMatch(err, /^→ POST https:.*, attempt 1\n← 503 in \d+ ms\n/);
  const stalled = world({ faults: () => ({ kind: "stall", at: "headers" }) });
  const slow = await stalled.docket("filesets", "--attempts", "1", "--timeout", "0.01");
  assertStringIncludes(slow.err, "no answer within the attempt's limit of 0.01 s");
});

Deno.test("docket --token-file, --profile: the token from a file, the service from a profile", async () => {
  const bare = { DOCKET_URL: undefined, DOCKET_TOKEN: undefined, HOME: "/home/ann" };
  const path = "/home/ann/.config/docket/config.json";
  const { docket, files, readByOthers } = world({}, { env: bare });
  files.set("token", `${TOKEN}\n`);
  const profiles = { here: { url: "https://service.example", token: TOKEN }, half: {} };
  assertStringIncludes(
    (await docket("filesets", "--profile", "here")).err,
    `There is no configuration file ${path}`,
  );
  files.set(path, JSON.stringify({ profiles }));
  assertEquals((await docket("filesets", "--profile", "here")).code, 0);
  assertStringIncludes(
    (await docket("filesets", "--profile", "there")).err,
    `has no profile "there": it has here, half`,
  );
  assertStringIncludes(
    (await docket("filesets", "--profile", "half")).err,
    "DOCKET_URL is not set",
  );
  readByOthers.add(path);
  const open = await docket("filesets", "--profile", "here");
  assertEquals(open.code, 2);
  assertStringIncludes(open.err, `${path} can be read by others: chmod 600`);
  files.set(path, "no JSON");
  readByOthers.clear();
  assertStringIncludes((await docket("filesets", "--profile", "here")).err, "is not JSON");

  const url = world({}, { env: { DOCKET_TOKEN: undefined } });
  url.files.set("token", `${TOKEN}\n`);
  assertEquals((await url.docket("filesets", "--token-file", "token")).code, 0);
});

Deno.test("docket: tables fit the terminal, and are whole elsewhere", async () => {
  const fileSets = [{ id: "a", name: "n".repeat(40), description: "d".repeat(40), fileCount: 7 }];
  const words = ["filesets", "-c", "id,name,description,fileCount"];
  const shown = await world({ fileSets }, { isTerminal: true, columns: 60 }).docket(...words);
  // deno-lint-ignore no-control-regex
  const lines = shown.out.replace(/\x1b\[\d*m/g, "").trimEnd().split("\n");
  assert(lines.every((line) => [...line].length <= 60), shown.out);
  assertStringIncludes(lines[1], "…");
  assertStringIncludes(shown.out, "\x1b[1mid");
  const piped = await world({ fileSets }).docket(...words);
  assertStringIncludes(piped.out, `${"n".repeat(40)}  ${"d".repeat(40)}`);
  const sentence = [{ ...fileSets[0], description: "d".repeat(90) }, { ...fileSets[0], id: "b" }];
  const [head, ...rows] = (await world({ fileSets: sentence }).docket(...words)).out.trimEnd()
    .split("\n");
  assertEquals(rows.map((row) => row.length), [head.length, head.length], "lines up in a pipe");
  const env = { NO_COLOR: "1" };
  const plain = await world({ fileSets }, { isTerminal: true, columns: 60, env }).docket(...words);
  assertEquals(plain.out.includes("\x1b"), false);
});

Deno.test("docket: columns of tables line up below wide letters, emoji and accents", async () => {
  const names = ["東京の報告", "Zoe\u0301", "👩‍👩‍👧 home", "plain"];
  const fileSets = names.map((name, at) => ({ id: `${at}`, name, owner: "x" }));
  const words = ["filesets", "-c", "name,owner"];
  assertEquals((await world({ fileSets }).docket(...words)).out.split("\n"), [
    "name        owner",
    "東京の報告  x",
    "Zoe\u0301         x",
    "👩‍👩‍👧 home     x",
    "plain       x",
    "",
  ]);
  const narrow = await world({ fileSets }, { isTerminal: true, columns: 14 }).docket(...words);
  assertEquals(narrow.out.split("\n")[1], "東京の…  x");
});

Deno.test("docket: a wrong path is one line, without the web page that was found there", async () => {
  const { docket } = world({
    faults: () => ({ kind: "status", status: 404, body: `<html>${"x".repeat(500)}` }),
  });
  const { code, err } = await docket("filesets");
  assertEquals(code, 1);
  assertEquals(
    err,
    "The request to search file sets failed: status 404\n  The answer is a web page: check DOCKET_URL\n",
  );
});

Deno.test("docket: what the service can't use is said once, by the names of options", async () => {
  const problem = {
    title: "The request is not valid",
    detail: "/filters/0/field must be one of id, name",
    errors: [
      { pointer: "/filters/0/field", detail: "must be one of id, name" },
      { pointer: "/filters/1", detail: "must be possible" },
      { pointer: "/filters", detail: "must be fewer" },
      { pointer: "/fieldSort/0/order", detail: "must be ASC or DESC" },
    ],
  };
  const { docket } = world({
    faults: () => ({ kind: "status", status: 400, body: JSON.stringify(problem) }),
  });
  const filters = ["--filter", "x:EQUALS:y", "--filter", "!id:NOPE:1"];
  assertEquals(
    await docket("filesets", ...filters, "--sort", "id:UP"),
    {
      code: 2,
      out: "",
      err: "The request to search file sets failed: status 400\n" +
        "  --filter x:EQUALS:y: field must be one of id, name\n" +
        "  --filter !id:NOPE:1: must be possible\n" +
        "  --filter: must be fewer\n" +
        "  --sort id:UP: order must be ASC or DESC\n",
    },
  );
  assertEquals(
    (await docket("assert", ...filters.filter((word) => word !== "--filter"))).err.split("\n")
      .slice(1, 4),
    [
      "  x:EQUALS:y: field must be one of id, name",
      "  !id:NOPE:1: must be possible",
      "  --filter: must be fewer",
    ],
  );
});

Deno.test("docket: why the network failed is said once", async () => {
  const { docket } = world({ faults: () => ({ kind: "reset", at: "headers" }) });
  const { code, err } = await docket("filesets", "--attempts", "1");
  assertEquals(code, 1);
  assertEquals(
    err,
    "The request to search file sets failed: the service could not be reached: connection reset\n",
  );
});

Deno.test("docket assert: 0 while no more match than may, and 1 with what matched", async () => {
  const { docket } = world();
  const none = await docket("assert", "owner:EQUALS:nobody");
  assertEquals([none.code, none.out, none.err], [
    0,
    "",
    "ok: 0 file sets match, at most 0 allowed\n",
  ]);
  const some = await docket("assert", "owner:EQUALS:ann", "!fileCount:EQUALS:0", "--max", "3");
  assertEquals(some.code, 1);
  assertEquals(some.err, "FAILED: at least 11 file sets match, at most 3 allowed\n");
  const [headings, first, ...others] = some.out.trimEnd().split("\n");
  assertMatch(headings, /^id +name +owner *$/i);
  assertMatch(first, / ann *$/);
  assertEquals(others.length, 9);
  assertEquals((await docket("assert", "owner:EQUALS:ann", "--max", "84")).code, 0);
  assertEquals((await docket("assert", "owner:EQUALS:ann", "--max", "83")).code, 1);
});

Deno.test("docket assert: counts rows, and believes no total", async () => {
  const { docket } = world({ quirks: { mostRows: 10, total: () => 0 } });
  assertEquals((await docket("assert", "owner:EQUALS:ann", "--max", "83")).code, 1);
});

Deno.test("docket judge: the state of each schedule, and 1 where one is down", async () => {
  // The last of these runs failed and was due a day before.
  const now = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;
  const good = makeRuns(119).map((run) => ({ ...run, status: "success" }));
  const { docket } = world({ runs: { 101: makeRuns(120), 102: good, 103: [] } }, {
    now: () => Date.UTC(2025, 0, 120, 7),
  });
  const up = await docket("judge", "102", "103");
  assertEquals(up.code, 0);
  assertMatch(up.out, /^ *102 +up +daily at \d\d:\d\d, UTC \(inferred\) +/m);
  assertMatch(up.out, /^ *103 +new +/m);
  const down = await world({ runs: { 101: makeRuns(120) } }, { now }).docket(
    "judge",
    "101",
    "--json",
  );
  assertEquals(down.code, 1);
  const [verdict] = JSON.parse(down.out);
  assertEquals([verdict.scheduleId, verdict.state, verdict.runs], [101, "down", 120]);
  assert(verdict.reasons.some(({ code }: { code: string }) => code === "failing"));
});

Deno.test("docket judge: 1 where a report is up and goes to people outside", async () => {
  const outside = { userId: 3, displayName: "Cy", emailAddress: "cy@partner.example" };
  const runs = makeRuns(119).map((run, index) => ({
    ...run,
    status: "success",
    recipientCount: index < 2 ? 3 : 2,
    recipients: [...run.recipients!, ...(index < 2 ? [outside] : [])],
  }));
  const { docket } = world({ runs: { 101: runs } }, { now: () => Date.UTC(2025, 0, 120, 7) });
  const { code, out } = await docket("judge", "101");
  assertMatch(out, /^ *101 +up .*outside-recipient \(critical\)/m);
  assertEquals(code, 1);
});

Deno.test("docket judge: an unknown schedule is an error of its own, and the others are judged", async () => {
  const now = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;
  const { docket } = world({ runs: { 101: makeRuns(120), 103: [] } }, { now });
  const some = await docket("judge", "103", "999", "103");
  assertEquals(some.code, 5);
  assertMatch(some.err, /^Schedule 999 could not be judged\. .*status 404/);
  assertEquals(some.out.match(/^ *103 +new /gm)?.length, 1);
  const down = await docket("judge", "999", "101", "--json");
  assertEquals([down.code, JSON.parse(down.out).length], [1, 1]);
  const none = await docket("judge", "999");
  assertEquals([none.code, none.out], [5, ""]);
  assertEquals((await world({ token: "another" }).docket("judge", "101", "103")).code, 4);
});

Deno.test("docket judge: a web page with status 404 is a wrong address, and no unknown schedule", async () => {
  const { docket } = world({
    faults: () => ({ kind: "status", status: 404, body: "<html>" }),
  });
  const { code, err } = await docket("judge", "101", "102");
  assertEquals(code, 1);
  assertMatch(err, /^The request .*status 404\n {2}The answer is a web page: check DOCKET_URL\n$/);
});

Deno.test("docket judge: an error behind the first page is an error, and no verdict on a part", async () => {
  const { docket } = world({
    runs: { 101: makeRuns(300) },
    faults: ({ offset }) => offset > 0 ? { kind: "status", status: 400 } : undefined,
  });
  const { code, out, err } = await docket("judge", "101");
  assertEquals([code, out], [1, ""]);
  assertMatch(err, /^The request to get report history failed: status 400/);
});

Deno.test("docket judge: --cron, --zone and --grace are the plan, and none is inferred", async () => {
  // Daily at 05:00 in Berlin's winter, which is 04:00 UTC.
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day + 1,
    startTime: new Date(Date.UTC(2025, 0, day + 1, 4)).toISOString(),
    endTime: new Date(Date.UTC(2025, 0, day + 1, 4, 1)).toISOString(),
    status: "success",
  }));
  const judged = async (now: number, ...words: string[]) => {
    const { docket } = world({ runs: { 101: runs } }, { now: () => now });
    const { code, out } = await docket("judge", "101", "--json", ...words);
    const [{ state, next, planSource }] = JSON.parse(out);
    assertEquals(planSource, words.length > 0 ? "confirmed" : "inferred");
    return [code, state, next];
  };
  const plan = ["--cron", "0 5 * * *; 0 12 * * *", "--zone", "Europe/Berlin"];
  const now = Date.UTC(2025, 0, 20, 11, 30);
  const next = "2025-01-21T04:00:00.000Z";
  assertEquals(await judged(now), [0, "up", next]);
  assertEquals(await judged(now, ...plan, "--grace", "2h"), [1, "down", next]);
  const weekly = ["--cron", "0 5 * * 1", "--zone", "Europe/Berlin"];
  assertEquals((await judged(now, ...weekly))[2], "2025-01-27T04:00:00.000Z");
});

Deno.test("docket judge: --service-zone is the zone of times that name none", async () => {
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day + 1,
    startTime: `2025-01-${String(day + 1).padStart(2, "0")} 09:00:00`,
    endTime: `2025-01-${String(day + 1).padStart(2, "0")} 09:01:00`,
    status: "success",
  }));
  const { docket } = world({ runs: { 101: runs } }, { now: () => Date.UTC(2025, 0, 20, 1) });
  const { out } = await docket("judge", "101", "--json", "--service-zone", "Asia/Tokyo");
  const [{ state, next }] = JSON.parse(out);
  assertEquals([state, next], ["up", "2025-01-21T00:00:00.000Z"]);
});

Deno.test("docket judge: in colour on a terminal, and the word stays", async () => {
  const good = makeRuns(119).map((run) => ({ ...run, status: "success" }));
  const options = { isTerminal: true, now: () => Date.UTC(2025, 0, 120, 7) };
  const { out } = await world({ runs: { 102: good } }, options).docket("judge", "102");
  assertStringIncludes(out, "\x1b[32mup\x1b[0m");
});
