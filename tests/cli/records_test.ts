/** The commands that use Docket's records, with a Docket. */
import { assert, assertEquals } from "@std/assert";
import { type App, ORIGIN, withApp } from "../app.ts";
import { directAccess } from "../../server/observer/service_access.ts";
import { continueScan } from "../../server/schedules/scan.ts";
import { LIST_COLUMNS } from "../../server/schedules/schedule_file.ts";
import { pollAll } from "../browser/sample_watches.ts";
import { plantIncident } from "../planted_incident.ts";
import { runSteps, world } from "./world.ts";

type RunOptions = Parameters<typeof world>[1] & {
  /** The text of the only file. */
  readonly file?: string;
  /** Called whenever the command waits. */
  readonly onPause?: () => unknown;
};

/** Runs the command line at a Docket, with a Docket token of an operator. */
async function runAt(app: App, token: string, words: string, options: RunOptions = {}) {
  const { file, onPause, ...more } = options;
  const { docket, files } = world({}, {
    ...more,
    env: { DOCKET_URL: ORIGIN, DOCKET_TOKEN: token },
    every(_ms, callback) {
      Promise.resolve(onPause?.()).then(callback);
      return () => {};
    },
    fetch: (url, init) => app.fetch(new Request(url, init)),
  });
  if (file) files.set("file.csv", file);
  const ended = await docket(words);
  assert(!`${ended.out}${ended.err}`.includes(token), "a token was written");
  return ended;
}

type Docket = (words: string, options?: RunOptions) => ReturnType<typeof runAt>;

const withDocket = (work: (docket: Docket, app: App) => Promise<void>) =>
  withApp({}, async (app) => {
    const token = (await app.services.tokens!.add("Ada", "operator", new Date()))!;
    await work((words, options) => runAt(app, token, words, options), app);
  });

Deno.test("docket watch: adds a range with a plan, lists it on pages, mutes and removes", () =>
  withDocket(async (docket, { services }) => {
    const daily = '--cron "0 6 * * *" --zone Europe/Berlin --grace 20m';
    const unread = /^1,101 schedules known; no ids scanned; 1,100 not read to the end yet\n$/;
    const rows = /^.*\r\n1001,,,0 6 \* \* \*,Europe\/Berlin,20,confirmed,(.*\r\n){1100}$/;
    await runSteps(docket, [
      [`watch add 1001-2100 ${daily}`, 0, "1,100 schedules added, 0 changed, 0 unchanged\n"],
      [`watch add 1001-2100 ${daily}`, 0, "0 schedules added, 0 changed, 1,100 unchanged\n"],
      ['watch add 101 --cron "15 23 * * *"', 0, /^1 schedule added/],
      ["watch remove 101", 0, /./],
      [
        "watch list",
        0,
        /^.*\n *1001 .* 0 6 \* \* \* Europe\/Berlin(?!\?).*\n(.{1,80}\n){1099}$/,
        unread,
      ],
      ["watch list --format csv", 0, rows, unread],
      ["watch mute 1001,1002 --until 2h", 0, /^Schedule 1001 is muted /],
      ["watch mute 7,1003 --until off", 1, "Schedule 1003 is not muted\n", /: Schedule 7 is not /],
      ["watch remove 1001,1003 --json", 0, "[\n  1001,\n  1003\n]\n"],
      ["watch remove 1001", 0, /./],
    ]);
    assert((await services.records!.watches.get(1002))!.mutedUntil! > Date.now());
    const stopped = await docket("watch remove 1004-1300", { onInterrupt: (stop) => stop() });
    assertEquals([stopped.code, stopped.out], [130, ""]);
    assertEquals((await services.records!.watches.list()).length, 1098);
  }));

Deno.test("docket schedules: adds ids and files, lists what can be read again, and removes", () =>
  withDocket(async (docket) => {
    const add = "schedules add --file file.csv";
    const file = "scheduleId,name,watched\r\n1,Sales,true\r\n";
    const wrong = /Nothing was saved: 1 line is wrong\n {2}line 3: A schedule id is a/;
    await runSteps((words) => docket(words, { file: `${file}x,,\r\n` }), [
      ["schedules list", 0, "", "No schedule is known\nNo schedules were added; no ids scanned\n"],
      [add, 2, "", wrong],
    ]);
    await runSteps((words) => docket(words, { file }), [
      [add, 0, "1 schedule added, 0 changed, 0 unchanged\n"],
      [`watch add 2 --owner ${"x".repeat(101)}`, 2, "", /--owner: must have at most 100/],
      ["schedules add 2-3", 0, /^2 schedules added/],
    ]);
    const { out } = await docket("schedules list --format csv");
    assertEquals(out.split("\r\n")[0].split(",").sort(), LIST_COLUMNS.toSorted());
    const watched = /Schedule 1 is watched: stop watching it first/;
    await runSteps((words) => docket(words, { file: out }), [
      [add, 0, "0 schedules added, 0 changed, 3 unchanged\n"],
      ["schedules remove 1-3", 1, /^.*\n.*\n$/, watched],
    ]);
  }));

Deno.test("docket incident: lists what is open, acts on it, and exits as its state allows", () =>
  withDocket(async (docket, app) => {
    await runSteps(docket, [["incident list", 0, "", "No open incidents\n"]]);
    await plantIncident(app, { name: "Sales", opened: Date.UTC(2025, 2, 10, 6) });
    const [{ id }] = await app.services.records!.incidents.allOpen();
    const out = `${id}\n  critical, open, opened Mon 10 Mar 2025 06:00 UTC\n` +
      "  Schedule 101 (Sales): 2 runs due since Mon 10 Mar 2025 06:00 UTC have not\n  started\n";
    const changed = /somebody else has changed the incident/;
    await runSteps(docket, [
      ["incident list", 1, out],
      [`incident acknowledge ${id} --note Looking`, 0, /^acknowledged: Schedule 101 \(Sales\)/],
      ["incident list", 1, /critical, acknowledged, opened/],
      [`incident acknowledge ${id}`, 1, "", changed],
      [`incident mute ${id} --until 2h`, 0, /^muted/],
      [`incident mute ${id}`, 2, "", /--until/],
      [`incident mute ${id} --until 2020-01-01T00:00:00Z`, 2, "", /a time in the future/],
      ["incident resolve none", 1, "", /no such incident/],
      [`incident resolve ${id}`, 0, /^resolved/],
      ["incident list", 0, "", "No open incidents\n"],
      ["incident list --all", 0, /resolved/],
    ]);
  }));

Deno.test("docket schedules scan: waits for the end, and goes on after it was interrupted", () =>
  withDocket(async (docket, { services }) => {
    const records = services.records!;
    const access = directAccess(services.store!);
    const observe = () =>
      continueScan({ records, access, now: Date.now, sleep: () => Promise.resolve() });
    let interrupt = () => {};
    const scan = "schedules scan --from 100 --to 120 --rate 50/s";
    const onInterrupt = (callback: () => void) => void (interrupt = callback);
    const onPause = () => interrupt();
    const stopped = await docket(scan, { isTerminal: true, onInterrupt, onPause });
    assertEquals(stopped.code, 130);
    const [progress, , end] = stopped.err.split("\x1b[K");
    assertEquals(progress, "\r0 of 21 ids, at least 1 s left");
    assertEquals(end, "Stopped by a person. The same command continues at id 100\n");
    await docket("schedules scan --from 100 --to 101", { onPause: observe });
    const scanned = /^ids 100 to 120 scanned on .*: 11 have runs, 1 never ran, 9 not found\n$/;
    await runSteps((words) => docket(words, { onPause: observe }), [
      [scan, 0, scanned],
      ["schedules list", 0, /./, /^12 schedules known; .*; ids 100 to 120 /],
    ]);
  }));

Deno.test("docket leavers: a file of people who left, and how many still receive reports", () =>
  withDocket(async (docket, { services }) => {
    const leaversAre = (userId: number) =>
      docket("leavers file.csv", { file: `userId,left\r\n${userId},2020-01-01\r\n` });
    const out = "1 person listed; 0 people who left still receive reports\n";
    assertEquals(await leaversAre(27), { code: 0, out, err: "" });
    await docket("watch add 101");
    await pollAll(services);
    const [{ userId }] = JSON.parse((await docket("recipients 101 --format json")).out);
    const now = "1 person listed; 1 person who left still receives reports\n";
    assertEquals((await leaversAre(userId)).out, now);
  }));
