import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket judge: the headline of each schedule, and 1 where one is down", async () => {
  // The last of these runs failed and was due a day before.
  const now = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;
  const good = makeRuns(119).map((run) => ({ ...run, status: "success" }));
  const { docket } = world({ runs: { 101: makeRuns(120), 102: good, 103: [] } }, {
    now: () => Date.UTC(2025, 0, 120, 7),
  });
  const up = await docket("judge", "102", "103");
  assertEquals(up.code, 0);
  assertMatch(up.out, /^ *102 +healthy$/m);
  assertMatch(up.out, /^ *103 +new +has never run$/m);
  const plans = await docket("judge", "102", "--columns", "scheduleId,plan,next");
  assertMatch(plans.out, /^ *102 +daily at \d\d:\d\d, UTC \(inferred\) +2025-05-01T06:00Z$/m);
  const down = await world({ runs: { 101: makeRuns(120) } }, { now }).docket(
    "judge",
    "101",
    "--json",
  );
  assertEquals(down.code, 1);
  const [verdict] = JSON.parse(down.out);
  assertEquals([verdict.scheduleId, verdict.state, verdict.headline, verdict.runs], [
    101,
    "down",
    "failing",
    120,
  ]);
  const texts = verdict.reasons.map(({ code, text }: Record<string, string>) => [code, text]);
  assert(
    texts.some(([code, text]: string[]) => code === "failing" && text === "failing for 1 run"),
  );
});

Deno.test("docket judge: 1 where a report goes to people outside", async () => {
  const outside = { userId: 3, displayName: "Cy", emailAddress: "cy@partner.example" };
  const runs = makeRuns(119).map((run, index) => ({
    ...run,
    status: "success",
    recipientCount: index < 2 ? 3 : 2,
    recipients: [...run.recipients!, ...(index < 2 ? [outside] : [])],
  }));
  const { docket } = world({ runs: { 101: runs } }, { now: () => Date.UTC(2025, 0, 120, 7) });
  const { code, out } = await docket("judge", "101", "--columns", "headline,reason");
  assertMatch(out, /^outside +sent to an outside address at partner\.example$/m);
  assertEquals(code, 1);
});

Deno.test("docket judge: an unknown schedule is an error, the others are judged", async () => {
  const now = () => Date.UTC(2025, 0, 121, 7) + 86_400_000;
  const { docket } = world({ runs: { 101: makeRuns(120), 103: [] } }, { now });
  const some = await docket("judge", "103", "999", "103");
  assertEquals(some.code, 3);
  assertMatch(some.err, /^Schedule 999 could not be judged\. .*status 404/);
  assertEquals(some.out.match(/^ *103 +new /gm)?.length, 1);
  const down = await docket("judge", "999", "101", "--json");
  assertEquals([down.code, JSON.parse(down.out).length], [1, 1]);
  const none = await docket("judge", "999");
  assertEquals([none.code, none.out], [3, ""]);
  const refused = await world({ token: "another" }).docket("judge", "101", "103");
  assertEquals([refused.code, refused.err.match(/status 401/g)?.length], [1, 1]);
});

Deno.test("docket judge: one schedule that can't be read keeps no verdict on the others back", async () => {
  for (const status of [400, 403]) {
    const { docket } = world({
      runs: { 101: [], 102: [], 103: [] },
      faults: ({ url }) => url.includes("/102/") ? { kind: "status", status } : undefined,
    });
    const { code, out, err } = await docket("judge", "999", "101", "102", "103", "--json");
    const ids = JSON.parse(out).map((row: { scheduleId: number }) => row.scheduleId);
    assertEquals([code, ids], [1, [101, 103]]);
    assertMatch(err, new RegExp(`^Schedule 102 could not be judged\\. .*status ${status}`, "m"));
  }
});

Deno.test("docket judge: a web page with 404 is a wrong address", async () => {
  const { docket } = world({
    faults: () => ({ kind: "status", status: 404, body: "<html>" }),
  });
  const { code, err } = await docket("judge", "101", "102");
  assertEquals(code, 1);
  assertMatch(
    err,
    /^The request .*status 404\n {2}The answer is a web page: check DOCKET_URL, https:\/\/service.example\n$/,
  );
});

Deno.test("docket judge: --cron, --zone and --grace are the plan, and none is inferred", async () => {
  // Daily at 05:00 in Berlin's winter, which is 04:00 UTC.
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day + 1,
    startTime: new Date(Date.UTC(2025, 0, day + 1, 4)).toISOString(),
    endTime: new Date(Date.UTC(2025, 0, day + 1, 4, 1)).toISOString(),
    status: "success",
  }));
  const judged = async (now: number, ...args: string[]) => {
    const { docket } = world({ runs: { 101: runs } }, { now: () => now });
    const { code, out } = await docket("judge", "101", "--json", ...args);
    const [{ state, next, planSource }] = JSON.parse(out);
    assertEquals(planSource, args.length > 0 ? "confirmed" : "inferred");
    return [code, state, next];
  };
  const plan = ["--cron", "0 5 * * *; 0 12 * * *", "--zone", "Europe/Berlin"];
  // 12:00 in Berlin and its grace are over.
  const now = Date.UTC(2025, 0, 20, 13, 30);
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

Deno.test("docket judge --calendar: what is planned on a day of the file is not overdue", async () => {
  const runs = makeRuns(60).map((run) => ({ ...run, status: "success" }));
  const now = () => Date.UTC(2025, 0, 62, 7);
  const { docket, files } = world({ runs: { 101: runs } }, { now });
  const given = ["judge", "101", "--cron", "0 6 * * *"];
  assertMatch((await docket(...given)).out, /^ *101 +overdue/m);
  const event = "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20250303\nEND:VEVENT";
  files.set("holidays.ics", `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR`);
  const excused = await docket(...given, "--calendar", "holidays.ics");
  assertEquals([excused.code, /healthy/.test(excused.out)], [0, true]);
  files.set("never.ics", "BEGIN:VCALENDAR");
  const { err } = await docket(...given, "--calendar", "never.ics");
  assertMatch(err, /--calendar never.ics: .*cut off/);
});
