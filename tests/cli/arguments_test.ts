import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { COMMANDS } from "../../cli/options.ts";
import { readId, readIds } from "../../cli/values.ts";
import { UsageError } from "../../cli/command.ts";
import { TOKEN, world } from "./world.ts";

Deno.test("docket: wrong arguments and a missing environment end with 2 and say what to do", async () => {
  const cases: [string[], RegExp][] = [
    [["files"], /Unknown command "files"/],
    [["fileset"], /Unknown command "fileset" \(did you mean "filesets"\?\)/],
    [["filesets", "--nonsense"], /nonsense/],
    [["history", "1", "--frob"], /^Unknown option '--frob'$/m],
    [["filesets", "--limti", "3"], /limti.*\(did you mean "--limit"\?\)/],
    [["filesets", "-c", "ownr"], /no "ownr" \(did you mean "owner"\?\)/],
    [["history", "101", "-c", "id,emailAddress"], /no "emailAddress": use id, reportId/],
    [["filesets", "--timeout", "0"], /--timeout must be a number of seconds/],
    [["filesets", "--attempts", "0"], /--attempts must be a whole number of at least 1/],
    [["filesets", "--max", "0"], /--max must be a whole number of at least 1/],
    [["filesets", "--token-file", "none"], /there is no file none/],
    [["judge"], /judge needs the ids of schedules/],
    [["judge", "x"], /Schedules are ids and ranges, such as 101-112, not "x"/],
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
    [["assert", "owner:a", "--all"], /assert takes no --all/],
    [["filesets", "colour:red"], /No field is called colour/],
    [["filesets", "--skip", "3"], /takes no --skip/],
    [["filesets", "--limit", "0"], /^--limit must be a whole number from 1 to 1000$/m],
    [["filesets", "--limit", "5000"], /^--limit must be a whole number from 1 to 1000$/m],
    [["history", "101", "--json", "--format", "csv"], /^Use --json or --format csv$/m],
    [["assert", "sort:name"], /assert needs a condition, such as owner:Finance/],
    [["assert", "!owner:EQUALS:x"], /^Write - before a condition to negate it\n.*\n {2}\^{6}\n/],
    [["filesets", "--filter", "owner:EQUALS:x"], /^Unknown option '--filter'\nSee docket filesets/],
    [["filesets", "-limit", "3"], /^Unknown option -limit: write --limit, or '-"limit"' in a/],
    [["filesets", "-x"], /Unknown option '-x'\nSee docket filesets --help\n$/],
    [["history", "-x", "1"], /Unknown option '-x'\nSee docket history --help\n$/],
    [["files", "-x"], /See docket --help\n$/],
    [["filesets", "--columns", ""], /^--columns needs a value\nSee docket filesets --help\n$/],
    [["filesets", "-c", ","], /^--columns names no field\n/],
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
    [["judge", "1", "x"], /ids and ranges, such as 101-112, not "x"/],
    [["history", "1", "--masked"], /takes no --masked/],
    [["filesets", "--resume"], /^--resume needs a value\nSee docket/],
    [
      ["filesets", "--offset", "-1"],
      /^--offset needs a value; if .*, write --offset=-…\nSee docket/,
    ],
    [["filesets", "-c", "-updated"], /^-c.* needs a value; if it begins with a hyphen, write /],
    [["filesets", "--token", "abc"], /never an argument.*DOCKET_TOKEN/],
    [["filesets", "--token=abc"], /never an argument/],
  ];
  for (const [args, message] of cases) {
    const { docket, service } = world();
    const { code, out, err } = await docket(...args);
    assertEquals([code, out, service.requests.length], [2, "", 0], args.join(" "));
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
  // What a command is for begins in one column, also on the lines below.
  assertMatch(
    overview.out,
    /^ {2}docket who .*]\n {37}list .*\n {2}docket judge .{22}judge .*down\n {37}or /m,
  );
  const options = "zone limit offset columns format all max resume prefetch verify " +
    "json curl timeout attempts debug token-file";
  // An option says what it is for in that command.
  const [asserting, judging] = [await docket("assert", "--help"), await docket("judge", "--help")];
  assertMatch(asserting.out, /--max N +how many file sets may match/);
  assertMatch(judging.out, /--zone ZONE +the time zone of --cron/);
  const fileSets = (await docket("filesets", "--help")).out;
  for (const name of options.split(" ")) assertStringIncludes(fileSets, `--${name}`);
  assertMatch(fileSets, /^ {2}-c, --columns A,B .*^ {2}--format FORMAT /ms);
  const history = (await docket("help", "history")).out;
  for (const name of ["recipients", "skip"]) assertStringIncludes(history, `--${name}`);
  for (const text of [fileSets, history]) assertStringIncludes(text, "Examples:");
  for (const topic of ["", ...Object.keys(COMMANDS)]) {
    const lines = (await docket("help", topic)).out.split("\n");
    assertEquals(lines.filter((line) => line.length > 80), [], topic);
  }
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

Deno.test("docket --token-file: the token from a file", async () => {
  const { docket, files } = world({}, { env: { DOCKET_TOKEN: undefined } });
  files.set("token", `${TOKEN}\n`);
  assertEquals((await docket("filesets", "--token-file", "token")).code, 0);
});

Deno.test("readIds: ids and ranges, at most 1,000 of them, wherever they begin", () => {
  assertEquals(readIds("2000-2002;7, 2001"), [2000, 2001, 2002, 7]);
  assertEquals(readIds("5001-6000").length, 1000);
  for (const text of ["1-1001", "1-1000,2000"]) {
    assertThrows(() => readIds(text), UsageError, "at most 1,000 schedules");
  }
  for (const text of ["12-11", "1-2-3", "x", "-4"]) {
    assertThrows(() => readIds(text), UsageError, `not "${text}"`);
  }
  assertEquals([readIds("0"), readId("history", ["0"])], [[0], 0]);
  assertThrows(() => readId("history", ["-1"]), UsageError, 'not "-1"');
});
