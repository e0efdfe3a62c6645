import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../cli/commands.ts";
import { runSteps, world } from "./world.ts";

Deno.test("docket: wrong arguments and a missing environment end with 2 and say what to do", async () => {
  const cases: [words: string, message: RegExp, env?: Record<string, undefined | string>][] = [
    ["fileset", /Unknown command "fileset" \(did you mean "filesets"\?\): use filesets, history,/],
    ["evidence histroy", /^docket evidence needs one of .* \(did you mean "history"\?\)\n/],
    ["filesets --limti 3", /limti.*\(did you mean "--limit"\?\)/],
    ["filesets --columns ownr", /no "ownr" \(did you mean "owner"\?\)/],
    ["history 101 --columns id,emailAddress", /no "emailAddress": use id, reportId/],
    [
      "filesets --limit 0 --zone x --format xml",
      /^--limit must be a whole number from 1 to 9007199254740991\n--zone .*\n--format must be one /,
    ],
    ["judge", /The ids of schedules are missing, such as 101-112/],
    ["judge 1-1000,2000", /^At most 1,000 schedules/],
    ["judge 12-11", /not "12-11"/],
    ["judge 1 --zone UTC", /--zone needs --cron/],
    ["judge 1 --grace 20m", /--grace needs --cron/],
    [
      'judge 1 --cron "0 6" --zone Berln --grace soon',
      /^--cron can't be "0 6": it must have five.*\n--zone must be .*"Berln"\n--grace must be a time/,
    ],
    ["history 101 --json --format csv", /^Use --json or --format csv$/m],
    ["history -x 1", /Unknown option '-x'.*\nSee docket history --help\n$/],
    ["filesets --columns ,", /^--columns names no field\n/],
    ['filesets --columns ""', /^--columns needs a value\nSee docket filesets --help\n$/],
    [
      'filesets "東京 colour:red"',
      /No field is called colour\..*\n {2}東京 colour:red\n {7}\^{6}\n/,
    ],
    ["history 1 2", /It takes one ID, and not also "2"/],
    ["filesets --limit", /^--limit needs a value\nSee docket/],
    ["history 1 --limit -1", /^--limit needs a value; one with a hyphen as --limit=-…\n/],
    ["who", /^--schedules IDS is missing\nPERSON is missing\n/],
    ["who Ada --schedules 1", /^who needs an address or a user id\n/],
    ["filesets --token=abc", /never an argument/],
    ["watch", /^docket watch needs one of add, list, remove, mute\n/],
    ["watch add 1-5001", /^At most 5,000 schedules at once/],
    ['watch add 1 --cron "0 6 * * *" --grace 90s', /^--grace must be whole minutes/],
    ["watch mute 1 --until soon", /^--until must be a duration such as 2h/],
    ["watch list 5", /^It takes options only, and not "5"/],
    ["schedules scan --from 0 --to 0 --rate 500/s", /^--rate must be from 1\/s to 50\/s/],
    ["filesets", /DOCKET_URL is not set: export the /, { DOCKET_URL: undefined }],
    ["filesets", /DOCKET_TOKEN is not set: export the /, { DOCKET_TOKEN: undefined }],
    ["filesets", /^DOCKET_TOKEN must be printable ASCII/, { DOCKET_TOKEN: "a b" }],
    ["filesets", /DOCKET_URL must be an http or https URL .*, such as http:/, { DOCKET_URL: "x" }],
  ];
  for (const [words, message, env = {}] of cases) {
    const { docket, service } = world({}, { env });
    await runSteps(docket, [[words, 2, "", message]]);
    assertEquals(service.requests, []);
  }
});

Deno.test("docket --help: every command, option and exit code, without a service", async () => {
  const { docket } = world({}, { env: { DOCKET_URL: undefined, DOCKET_TOKEN: undefined } });
  const overview = await docket("--help");
  assertEquals([overview.code, (await docket()).out], [0, overview.out]);
  for (const code of [0, 1, 2, 3, 130]) {
    assertMatch(overview.out, new RegExp(`^  ${code} `, "m"));
  }
  // What a command is for begins in one column, also on the lines below.
  assertMatch(overview.out, /^ {2}docket judge .{20,}judge .*down\n {30,}or /m);
  assertMatch(overview.out, /^ {2}docket incident list +.*; exit with 1 if there$/m);
  const fileSets = (await docket("filesets", "--help")).out;
  const options = "zone limit columns format all json debug";
  for (const name of options.split(" ")) assertStringIncludes(fileSets, `--${name}`);
  const group = (await docket("evidence", "--help")).out;
  assertEquals(group.match(/^ {2}docket evidence \w+/gm)?.length, 4);
  assertEquals((await docket("evidence", "key", "x", "--help")).out.split(" ")[2], "key");
  for (const topic of ["", ...Object.keys(COMMANDS)]) {
    const lines = (await docket("help", topic)).out.split("\n");
    assertEquals(lines.filter((line) => line.length > 80), [], topic);
  }
});
