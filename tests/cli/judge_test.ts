import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { runSteps, world } from "./world.ts";

/** A day after the last of 120 runs, which failed. */
const LATER = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;

/** What is said where a reason did not fit into the table. */
const CUT = /^To fit 80 characters, the table cut reason/;

Deno.test("docket judge: the headline of each schedule, and 1 where one is down or critical", async () => {
  const good = makeRuns(119).map((run) => ({ ...run, status: "success" }));
  const outside = { emailAddress: "cy@partner.example" };
  const leaky = good.map((run, at) =>
    at < 2 ? { ...run, recipients: [...run.recipients!, outside] } : run
  );
  const runs = { 102: good, 103: [], 104: makeRuns(2), 105: leaky };
  const { docket } = world({ runs }, { now: () => Date.UTC(2025, 0, 120, 7) });
  await runSteps(docket, [
    ["102", 0, /^ *102 +healthy$/m],
    ["103-104", 0, /^ *103 +new +has never run\n *104 +unknown +its runs show no plan: too/m, CUT],
    [
      "105 --columns headline,reason",
      1,
      /^outside +sent to an outside address at partner\.example$/m,
    ],
    ["102 --columns plan,next", 0, /^daily at \d\d:\d\d, UTC \(inferred\) +2025-05-01T06:00Z$/m],
  ], "judge");
  const down = await world({}, { now: LATER }).docket("judge", "101", "--json");
  assertEquals(down.code, 1);
  const [{ scheduleId, state, headline, runs: judged, reasons }] = JSON.parse(down.out);
  assertEquals([scheduleId, state, headline, judged], [101, "down", "failing", 120]);
  const { text } = reasons.find(({ code }: Record<string, string>) => code === "failing");
  assertEquals(text, "failing for 1 run");
});

Deno.test("docket judge: an unknown schedule is an error, the others are judged", async () => {
  const { docket } = world({ runs: { 101: makeRuns(120), 103: [] } }, { now: LATER });
  const unknown = /^Schedule 999 could not be judged\. .*status 404/;
  await runSteps(docket, [
    ["judge 103 999 103", 3, /^.*\n *103 +new .*\n$/, unknown],
    ["judge 999 101", 1, /failing/, unknown],
    ["judge 999", 3, "", unknown],
  ]);
  // With a web page, a 404 does not say that the schedule is missing.
  for (const status of [400, 403, 404]) {
    const unreadable = world({
      runs: { 101: [], 102: [] },
      faults: ({ url }) =>
        url.includes("/102/") ? { kind: "status", status, body: "<html>" } : undefined,
    });
    const said = new RegExp(`^Schedule 102 could not be judged\\. .*status ${status}`, "m");
    await runSteps(unreadable.docket, [["judge 102 101", 1, /^.*\n *101 +new .*\n$/, said]]);
  }
  // The token is refused once, for all.
  const refused = await world({ token: "another" }).docket("judge", "101", "103");
  assertEquals([refused.code, refused.err.match(/status 401/g)?.length], [1, 1]);
});

Deno.test("docket judge: options give a plan, a calendar and the zone of bare times", async () => {
  // Daily at 05:00 in Berlin's winter, which is 04:00 UTC.
  const runs = Array.from({ length: 20 }, (_, id) => {
    const day = `2025-01-${`${id + 1}`.padStart(2, "0")}`;
    return { id, startTime: `${day} 05:00:00`, endTime: `${day} 05:01:00`, status: "success" };
  });
  // It is 14:30 in Berlin.
  const now = () => Date.UTC(2025, 0, 20, 13, 30);
  const event = "BEGIN:VCALENDAR BEGIN:VEVENT DTSTART;VALUE=DATE:20250120 END:VEVENT";
  const judged = async (...args: string[]) => {
    const { docket, files } = world({ runs: { 101: runs } }, { now });
    files.set("holidays.ics", `${event.replaceAll(" ", "\n")}\nEND:VCALENDAR`);
    files.set("never.ics", event);
    const zone = ["--service-zone", "Europe/Berlin"];
    const { code, out, err } = await docket("judge", "101", "--json", ...zone, ...args);
    if (code === 2) return err;
    const [{ state, next, planSource, reasons }] = JSON.parse(out);
    if (code === 1) assertEquals(reasons[0].text, "due Mon 20 Jan 11:00 UTC, not started");
    assertEquals(next.slice(0, 16), "2025-01-21T04:00");
    return [code, state, planSource];
  };
  const plan = ["--cron", "0 5 * * *; 0 12 * * *", "--zone", "Europe/Berlin"];
  assertEquals(await judged(), [0, "up", "inferred"]);
  assertEquals(await judged(...plan), [1, "down", "confirmed"]);
  assertEquals(await judged(...plan, "--grace", "3h"), [0, "late", "confirmed"]);
  assertEquals(await judged(...plan, "--calendar", "holidays.ics"), [0, "up", "confirmed"]);
  const never = await judged(...plan, "--calendar", "never.ics");
  assertStringIncludes(never, "--calendar never.ics: The calendar can't be read: ");
});
