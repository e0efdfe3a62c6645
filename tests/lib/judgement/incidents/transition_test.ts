import { assertEquals } from "@std/assert";
import type { Ending } from "../../../../lib/judgement/gap_ending.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { at, Desk, failing, gap, level, outside } from "./desk.ts";

const DUE = "2026-03-10T06:00Z";

Deno.test("row 1: a reason that holds opens an incident, which is sent at once", () => {
  const desk = new Desk();
  assertEquals(desk.see(5, [gap("overdue", 0)]), [`opened>opened overdue ${DUE}`]);
  const { said, notified, notifyAt, opened, since, severity } = desk.last;
  assertEquals([said, notified, notifyAt, opened], ["open", at(5), null, at(5)]);
  assertEquals([since, severity], [at(0), "critical"]);
});

Deno.test("row 1: ids stay as they are in URLs, and those of one moment differ", () => {
  const desk = new Desk();
  desk.see(5, [
    gap("overdue", 0),
    ...["a.example", "bücher.example", "b\u{1f600}"].map((each) => outside(each)),
  ]);
  const ids = desk.incidents.map(({ id }) => id);
  assertEquals(ids.map(encodeURIComponent), ids);
  assertEquals([new Set(ids).size, ids[0]], [4, `7-overdue-2026-03-10T0600Z-${at(5)}`]);
});

Deno.test("row 1: information opens nothing, nor does what is the service's alone", () => {
  const desk = new Desk();
  const late = sampleReason("late", { severity: "info" });
  assertEquals(desk.see(0, [late, sampleReason("clock"), sampleReason("unknown-status")]), []);
  const service = new Desk({ scheduleId: null });
  assertEquals(service.see(0, [sampleReason("clock")]), ["opened>opened clock"]);
});

Deno.test("row 1: one failure waits for its repair, a second is sent at once", () => {
  const desk = new Desk({ repairedBy: at(20) });
  assertEquals(desk.see(0, [failing(0)]), ["opened> failing 0"]);
  assertEquals([desk.next(0), desk.see(10, [failing(0)])], [20, []]);
  assertEquals(desk.see(20, [failing(0)]), [">opened failing 0"]);
  const twice = new Desk({ repairedBy: at(20) });
  twice.see(0, [failing(0)]);
  assertEquals(twice.see(5, [failing(0, 2)]), [">opened failing 0"]);
  const repaired = new Desk({ repairedBy: at(20) });
  repaired.see(0, [failing(0)]);
  assertEquals(repaired.see(10, []), ["resolved> failing 0"]);
  assertEquals(repaired.see(30, []), []);
});

Deno.test("row 1: at the first verdict of a watch, only what is critical is sent", () => {
  const desk = new Desk();
  const old = [gap("missed", -600), outside("a.example")];
  assertEquals(desk.see(0, old, { isFirst: true }), [
    "opened> missed 2026-03-09T20:00Z",
    "opened>opened outside-recipient a.example",
  ]);
  assertEquals([desk.see(5, old), desk.next(5)], [[], null]);
  assertEquals(desk.see(9, []).toSorted(), [
    "resolved> missed 2026-03-09T20:00Z",
    "resolved>resolved outside-recipient a.example",
  ]);
});

Deno.test("row 2: a reason that goes on is renewed, and nothing is sent", () => {
  const desk = new Desk();
  desk.see(0, [failing(0)]);
  assertEquals(desk.see(9, [failing(0, 3)]), []);
  assertEquals(desk.last.reason, failing(0, 3));
  // An earlier run was listed late; and then the first ones are no longer judged.
  assertEquals(desk.see(9, [failing(-5, 4)]), []);
  assertEquals(desk.see(9, [failing(7, 4)], { oldest: at(7) }), []);
  assertEquals(desk.incidents.length, 1);
  assertEquals(desk.see(9, [failing(8)], { oldest: at(7) }), [
    "resolved>resolved failing 0",
    "opened>opened failing 8",
  ]);
});

Deno.test("row 3: what grows is sent again an hour after the last message, as one", () => {
  const desk = new Desk();
  desk.see(0, [outside("a.example")]);
  desk.act(1, "acknowledge");
  assertEquals(desk.see(10, [outside("a.example", 2, 10)]), [
    "grew> outside-recipient a.example",
  ]);
  assertEquals([desk.last.acknowledged, desk.next(10)], [null, 60]);
  desk.see(20, [outside("a.example", 3, 20)]);
  assertEquals(desk.see(60, [outside("a.example", 3, 20)]), [">grew outside-recipient a.example"]);
  const later = new Desk();
  later.see(0, [outside("a.example")]);
  assertEquals(later.see(90, [outside("a.example", 2, 90)]), [
    "grew>grew outside-recipient a.example",
  ]);
  // One who left is no news.
  assertEquals(later.see(200, [outside("a.example")]), []);
});

Deno.test("row 3: further leavers, channels and statuses grow, a longer streak does not", () => {
  const pairs = [
    [sampleReason("leaver-recipient"), sampleReason("leaver-recipient", { count: 2 })],
    [sampleReason("channel-failing"), sampleReason("channel-failing", { channels: ["a", "b"] })],
    [sampleReason("unknown-status"), sampleReason("unknown-status", { statuses: ["odd", "b"] })],
    [sampleReason("flaky"), sampleReason("flaky", { failed: 9 })],
  ];
  const grown = pairs.map(([before, after]) => {
    const desk = new Desk({ scheduleId: null });
    desk.see(0, [before]);
    return desk.see(99, [after]).length;
  });
  assertEquals(grown, [1, 1, 1, 0]);
});

Deno.test("rows 4 to 6: a gap says how it ended, unless it had passed unseen", () => {
  const came: Ending = { how: "started", due: at(0), at: at(58), isGood: true };
  const unplanned: Ending = { how: "unplanned" };
  for (const ending of [came, unplanned]) {
    const desk = new Desk();
    desk.see(5, [gap("overdue", 0)]);
    const sent = desk.see(59, [], { endingOf: () => ending });
    assertEquals([sent, desk.last.ending], [[`resolved>resolved overdue ${DUE}`], ending]);
  }
  const listed: Ending = { ...came, how: "listed" };
  for (const [ending, sent] of [[listed, "resolved"], [unplanned, ""]] as const) {
    const desk = new Desk();
    desk.see(5, [gap("overdue", 0)]);
    assertEquals(desk.see(61, [gap("missed", 0)]), [`passed>passed missed ${DUE}`]);
    assertEquals([desk.last.code, desk.last.severity], ["missed", "warning"]);
    const ended = desk.see(90, [], { endingOf: () => ending });
    assertEquals(ended, [`resolved>${sent} missed ${DUE}`]);
    assertEquals(desk.last.ending, sent ? ending : null);
  }
});

Deno.test("row 5: the subject of a gap stays its first run while it grows", () => {
  const desk = new Desk();
  desk.see(5, [gap("overdue", 0)]);
  assertEquals(desk.see(65, [gap("overdue", 0, 2)]), []);
  assertEquals(desk.see(125, [gap("missed", 0, 2)]), [`passed>passed missed ${DUE}`]);
  // Another gap is another incident.
  assertEquals(desk.see(185, [gap("missed", 0, 2), gap("overdue", 180)]), [
    "opened>opened overdue 2026-03-10T09:00Z",
  ]);
});

Deno.test("row 6: what is gone resolves; another level resolves one and opens its own", () => {
  const desk = new Desk();
  desk.see(0, [level(900)]);
  assertEquals(desk.see(5, [level(1100)]), []);
  assertEquals(desk.see(10, [level(4000)]), [
    "resolved>resolved size-jump 900",
    "opened>opened size-jump 4000",
  ]);
  // Usual by now, or expected.
  assertEquals(desk.see(15, [level(4000, 0, "info")]), ["resolved>resolved size-jump 4000"]);
});

Deno.test("row 6: failures now and then are not over while runs fail", () => {
  const flaky = sampleReason("flaky");
  const desk = new Desk();
  desk.see(0, [flaky]);
  assertEquals(desk.see(5, [failing(5)]), ["opened>opened failing 5"]);
  assertEquals(desk.see(9, [flaky]), ["resolved>resolved failing 5"]);
  assertEquals(desk.see(12, []), ["resolved>resolved flaky"]);
});

Deno.test("row 7: what holds again within an hour is the same incident", () => {
  const desk = new Desk();
  desk.see(0, [outside("a.example")]);
  const { id } = desk.last;
  desk.act(1, "acknowledge");
  desk.see(10, []);
  assertEquals(desk.see(20, [outside("a.example")]), [
    "reopened>opened outside-recipient a.example",
  ]);
  assertEquals([desk.last.id, desk.last.acknowledged], [id, null]);
});

Deno.test("row 10: after muting, what differs from the last message is sent", () => {
  const muted = { mutedUntil: at(60) };
  const desk = new Desk();
  assertEquals(desk.see(0, [failing(0)], muted), ["opened> failing 0"]);
  assertEquals(desk.next(0, at(60)), 60);
  assertEquals(desk.see(60, [failing(0)], muted), [">opened failing 0"]);
  assertEquals(desk.next(60), null);
  desk.act(61, "mute", 120);
  assertEquals(desk.see(70, []), ["resolved> failing 0"]);
  assertEquals([desk.next(70), desk.see(120, [])], [120, [">resolved failing 0"]]);
  assertEquals(desk.last.reasonEnded, at(70));
});

Deno.test("row 11: what a person resolved stays resolved while its reason holds", () => {
  const desk = new Desk();
  desk.see(0, [failing(0)]);
  assertEquals(desk.act(5, "resolve"), "resolved");
  assertEquals(desk.see(10, [failing(0, 2)]), []);
  assertEquals(desk.see(9000, [failing(0, 9)]), []);
  assertEquals(desk.see(9001, [failing(9001)]), ["opened>opened failing 9001"]);
  const returned = new Desk();
  returned.see(0, [outside("a.example")]);
  returned.act(5, "resolve");
  returned.see(100, []);
  assertEquals(returned.see(200, [outside("a.example")]), [
    "opened>opened outside-recipient a.example",
  ]);
});

Deno.test("row 12: without an answer to believe, only the codes that are asked change", () => {
  const desk = new Desk();
  desk.see(0, [gap("overdue", 0), outside("a.example")]);
  const away = sampleReason("unreadable", { severity: "critical", failure: "Away" });
  const only = { only: ["unreadable", "stale"] } as const;
  assertEquals(desk.see(5, [away], only), ["opened>opened unreadable"]);
  assertEquals(desk.see(9, [], only), ["resolved>resolved unreadable"]);
  assertEquals(desk.incidents.filter(({ resolved }) => resolved === null).length, 2);
});

Deno.test("played through: a clock that jumps a day either way loses and invents nothing", () => {
  for (const jump of [1440, -1440]) {
    const desk = new Desk();
    desk.see(5, [failing(0)]);
    assertEquals(desk.see(10 + jump, [failing(0)]), []);
    assertEquals(desk.see(15, [failing(0)]), []);
    assertEquals(desk.see(20 + jump, []), ["resolved>resolved failing 0"]);
    assertEquals(desk.see(25, []), []);
  }
});
