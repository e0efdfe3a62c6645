import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

/** A day after the last of 120 runs, which failed. */
const LATER = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;

Deno.test("docket judge: the headline of each schedule, and 1 where one is down or critical", async () => {
  const good = makeRuns(119).map((run) => ({ ...run, status: "success" }));
  const outside = { emailAddress: "cy@partner.example" };
  const runs = {
    102: good,
    103: [],
    104: makeRuns(2),
    105: good.map((run, at) =>
      at < 2 ? { ...run, recipients: [...run.recipients!, outside] } : run
    ),
  };
  const { docket } = world({ runs }, { now: () => Date.UTC(2025, 0, 120, 7) });
  const up = await docket("judge", "102-104");
  assertEquals(up.code, 0);
  assertMatch(up.out, /^ *102 +healthy$/m);
  assertMatch(up.out, /^ *103 +new +has never run$/m);
  assertMatch(up.out, /^ *104 +unknown +its runs show no plan: too few, or at/m);
  const critical = await docket("judge", "105", "--columns", "headline,reason");
  assertMatch(critical.out, /^outside +sent to an outside address at partner\.example$/m);
  const plans = await docket("judge", "102", "--columns", "scheduleId,plan,next");
  assertMatch(plans.out, /^ *102 +daily at \d\d:\d\d, UTC \(inferred\) +2025-05-01T06:00Z$/m);
  const down = await world({}, { now: LATER }).docket("judge", "101", "--json");
  assertEquals([critical.code, down.code], [1, 1]);
  const [{ scheduleId, state, headline, runs: judged, reasons }] = JSON.parse(down.out);
  assertEquals([scheduleId, state, headline, judged], [101, "down", "failing", 120]);
  const { text } = reasons.find(({ code }: Record<string, string>) => code === "failing");
  assertEquals(text, "failing for 1 run");
});

Deno.test("docket judge: an unknown schedule is an error, the others are judged", async () => {
  const { docket } = world({ runs: { 101: makeRuns(120), 103: [] } }, { now: LATER });
  const some = await docket("judge", "103", "999", "103");
  assertEquals(some.code, 3);
  assertMatch(some.err, /^Schedule 999 could not be judged\. .*status 404/);
  assertEquals(some.out.match(/^ *103 +new /gm)?.length, 1);
  assertEquals((await docket("judge", "999", "101")).code, 1);
  assertEquals((await docket("judge", "999")).code, 3);
  // With a web page, a 404 does not say that the schedule is missing.
  for (const status of [400, 403, 404]) {
    const unreadable = world({
      runs: { 101: [], 102: [] },
      faults: ({ url }) =>
        url.includes("/102/") ? { kind: "status", status, body: "<html>" } : undefined,
    });
    const { code, out, err } = await unreadable.docket("judge", "102", "101", "--json");
    assertEquals([code, JSON.parse(out)[0].scheduleId], [1, 101]);
    assertMatch(err, new RegExp(`^Schedule 102 could not be judged\\. .*status ${status}`, "m"));
  }
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
    const [{ state, next, planSource }] = JSON.parse(out);
    return [code, state, next.slice(0, 16), planSource];
  };
  const plan = ["--cron", "0 5 * * *; 0 12 * * *", "--zone", "Europe/Berlin", "--grace", "3h"];
  assertEquals(await judged(), [0, "up", "2025-01-21T04:00", "inferred"]);
  assertEquals(await judged(...plan.slice(0, -2)), [1, "down", "2025-01-21T04:00", "confirmed"]);
  assertEquals(await judged(...plan), [0, "late", "2025-01-21T04:00", "confirmed"]);
  const calendar = [...plan.slice(0, -2), "--calendar"];
  const excused = await judged(...calendar, "holidays.ics");
  assertEquals(excused, [0, "up", "2025-01-21T04:00", "confirmed"]);
  const never = await judged(...calendar, "never.ics");
  assertStringIncludes(never, "--calendar never.ics: The calendar can't be read: ");
});
