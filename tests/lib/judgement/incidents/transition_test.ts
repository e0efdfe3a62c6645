import { assertEquals } from "@std/assert";
import type { Ending } from "../../../../lib/judgement/planned_runs.ts";
import type { Moment } from "../../../../lib/judgement/incidents/transition.ts";
import type { Reason } from "../../../../lib/judgement/reason.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { at, Desk, failing, gap, level, outside } from "./desk.ts";

const DUE = "2026-03-10T06:00Z";
const A = "outside-recipient a.example";
const B = "outside-recipient b.example";
const came: Ending = { how: "started", due: at(0), at: at(58), isGood: true };
const flaky = sampleReason("flaky");
const away = sampleReason("unreadable", { severity: "critical", failure: "Away" });
const old = [gap("missed", -600), outside("a.example")];
const only: Partial<Moment> = { only: ["unreadable", "stale"] };
const unseen: Partial<Moment> = { oldest: at(7) };
const muted: Partial<Moment> = { mutedUntil: at(60) };

/** At a minute, these reasons hold, or a person acts: what happens, and what is true by then. */
type Step =
  | [minute: number, reasons: readonly Reason[], events: string[], moment?: Partial<Moment>]
  | [minute: number, act: Parameters<Desk["act"]>[1], send: string | null, until?: number];

/** What the page of the table says of each row, beside what the model compares. */
const PLAYS: Record<string, readonly Step[]> = {
  "row 1: information opens nothing, nor does what is the service's alone": [
    [0, [sampleReason("late", { severity: "info" }), sampleReason("clock")], []],
    [0, [sampleReason("unknown-status")], []],
  ],
  "row 1: at the first verdict of a watch, only what is critical is sent": [
    [0, old, ["opened> missed 2026-03-09T20:00Z", `opened>opened ${A}`], { isFirst: true }],
    [5, old, []],
    [9, [], ["resolved> missed 2026-03-09T20:00Z", `resolved>resolved ${A}`]],
  ],
  "row 2: a reason that goes on is renewed, and nothing is sent": [
    [0, [failing(0)], ["opened>opened failing 0"]],
    [9, [failing(0, 3)], []],
    // An earlier run was listed late; and then the first ones are no longer judged.
    [9, [failing(-5, 4)], []],
    [9, [failing(7, 4)], [], unseen],
    [9, [failing(8)], ["resolved>resolved failing 0", "opened>opened failing 8"], unseen],
  ],
  "row 3: what grows is sent again an hour after the last message, as one": [
    [0, [outside("a.example")], [`opened>opened ${A}`]],
    [10, [outside("a.example", 2, 10)], [`grew> ${A}`]],
    [20, [outside("a.example", 2, 20)], [`grew> ${A}`]],
    [60, [outside("a.example", 2, 20)], [`>grew ${A}`]],
    [190, [outside("a.example", 4, 190)], [`grew>grew ${A}`]],
    // One who left is no news, and another domain is another incident.
    [300, [outside("a.example")], []],
    [310, [outside("b.example")], [`resolved>resolved ${A}`, `opened>opened ${B}`]],
  ],
  "row 5: the subject of a gap stays its first run while it grows": [
    [5, [gap("overdue", 0)], [`opened>opened overdue ${DUE}`]],
    // An earlier run was listed late.
    [6, [gap("overdue", -60, 2)], []],
    [65, [gap("overdue", 0, 2)], []],
    [125, [gap("missed", 0, 2)], [`passed>passed missed ${DUE}`]],
    // Another gap is another incident, an earlier one too.
    [185, [gap("missed", -600), gap("missed", 0, 2), gap("overdue", 180)], [
      "opened>passed missed 2026-03-09T20:00Z",
      "opened>opened overdue 2026-03-10T09:00Z",
    ]],
  ],
  "row 6: what is gone resolves; another level resolves one and opens its own": [
    [0, [level(900)], ["opened>opened size-jump 900"]],
    [5, [level(1340)], []],
    [10, [level(1360)], ["resolved>resolved size-jump 900", "opened>opened size-jump 1360"]],
    // Usual by now, or expected.
    [15, [level(1360, 0, "info")], ["resolved>resolved size-jump 1360"]],
  ],
  "row 6: failures now and then are not over while runs fail": [
    [0, [flaky], ["opened>opened flaky"]],
    [5, [failing(5)], ["opened>opened failing 5"]],
    [9, [flaky], ["resolved>resolved failing 5"]],
    [12, [], ["resolved>resolved flaky"]],
  ],
  "row 10: after muting, what differs from the last message is sent": [
    [0, [failing(0)], ["opened> failing 0"], muted],
    [60, [failing(0)], [">opened failing 0"], muted],
    [61, "mute", null, 120],
    [70, [], ["resolved> failing 0"]],
    [120, [], [">resolved failing 0"]],
  ],
  "row 11: what a person resolved stays resolved while its reason holds": [
    [0, [failing(0), outside("a.example")], ["opened>opened failing 0", `opened>opened ${A}`]],
    [5, "resolve", "resolved"],
    [10, [failing(0, 2), outside("a.example")], []],
    [9000, [failing(9000)], ["resolved>resolved failing 0", "opened>opened failing 9000"]],
    [9200, [failing(9000), outside("a.example")], [`opened>opened ${A}`]],
    [9201, "resolve", "resolved"],
    [9999, [failing(9000), outside("a.example")], []],
    [19999, [failing(9000), outside("a.example")], []],
  ],
  "row 12: without an answer to believe, only the observer's own codes change": [
    [0, [gap("overdue", 0)], [`opened>opened overdue ${DUE}`]],
    [5, [away], ["opened>opened unreadable"], only],
    [9, [], ["resolved>resolved unreadable"], only],
    [10, [gap("overdue", 0), outside("a.example")], [`opened>opened ${A}`]],
    [11, "resolve", "resolved"],
    [12, [], [], only],
    [13, [gap("overdue", 0), outside("a.example")], []],
  ],
  "played through: a clock that jumps a day either way loses and invents nothing": [
    [5, [failing(0)], ["opened>opened failing 0"]],
    ...[1450, 15, -1430].map((minute): Step => [minute, [failing(0)], []]),
    [20, [], ["resolved>resolved failing 0"]],
    [-1400, [], []],
  ],
};

for (const [title, steps] of Object.entries(PLAYS)) {
  Deno.test(title, () => {
    const desk = new Desk();
    for (const [minute, what, expected, more] of steps) {
      const happened = typeof what === "string"
        ? desk.act(minute, what, more as number)
        : desk.see(minute, what, more as Partial<Moment>);
      assertEquals(happened, expected, `at minute ${minute}`);
    }
  });
}

Deno.test("row 1: ids stay as they are in URLs, and those of one moment differ", () => {
  const desk = new Desk();
  const domains = ["a.example", "bücher.example", "b\u{1f600}"];
  desk.see(5, [gap("overdue", 0), ...domains.map((each) => outside(each))]);
  const ids = desk.incidents.map(({ id }) => id);
  assertEquals(ids.map(encodeURIComponent), ids);
  assertEquals([new Set(ids).size, ids[0]], [4, `7-overdue-2026-03-10T0600Z-${at(5)}`]);
  const { said, notified, notifyAt, opened, since, severity } = desk.incidents[0];
  assertEquals([said, notified, notifyAt, opened], ["open", at(5), null, at(5)]);
  assertEquals([since, severity], [at(0), "critical"]);
  const ofService = new Desk({ scheduleId: null }).see(0, [sampleReason("clock")]);
  assertEquals(ofService, ["opened>opened clock"]);
});

Deno.test("row 1: one failure waits for its repair, a second is sent at once", () => {
  const cases: readonly [minute: number, reasons: Reason[], events: string[]][] = [
    [10, [failing(0)], []],
    [20, [failing(0)], [">opened failing 0"]],
    [5, [failing(0, 2)], [">opened failing 0"]],
    [10, [], ["resolved> failing 0"]],
  ];
  for (const [minute, reasons, events] of cases) {
    const desk = new Desk({ repairedBy: at(20) });
    assertEquals(desk.see(0, [failing(0)]), ["opened> failing 0"]);
    assertEquals([desk.next(0), desk.see(minute, reasons)], [20, events]);
    assertEquals(desk.see(30, []).includes(">resolved failing 0"), false);
  }
  const twice = new Desk({ repairedBy: at(20) }).see(0, [failing(0, 2)]);
  assertEquals(twice, ["opened>opened failing 0"]);
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
    return [99, 199].map((minute) => desk.see(minute, [after]).length);
  });
  assertEquals(grown, [[1, 0], [1, 0], [1, 0], [0, 0]]);
});

Deno.test("rows 4 to 6: it says how it ended, unless a gap passed unseen", () => {
  const unplanned: Ending = { how: "unplanned" };
  const cases: readonly [ending: Ending, hasPassed: boolean, sent: string][] = [
    [came, false, "resolved"],
    [unplanned, false, "resolved"],
    [{ ...came, how: "listed" }, true, "resolved"],
    [unplanned, true, ""],
  ];
  for (const [ending, hasPassed, sent] of cases) {
    const desk = new Desk();
    desk.see(5, [gap("overdue", 0)]);
    if (hasPassed) {
      assertEquals(desk.see(61, [gap("missed", 0)]), [`passed>passed missed ${DUE}`]);
      assertEquals([desk.last.code, desk.last.severity], ["missed", "warning"]);
    }
    const ended = desk.see(90, [], { endingOf: () => ending });
    assertEquals(ended, [`resolved>${sent} ${hasPassed ? "missed" : "overdue"} ${DUE}`]);
    assertEquals(desk.last.ending, sent ? ending : null);
  }
  for (const change of [level(900), sampleReason("sent-twice")]) {
    const desk = new Desk();
    desk.see(0, [change]);
    desk.see(5, []);
    assertEquals(desk.last.ending, { how: "past" });
  }
});

Deno.test("rows 3 and 7: what grows or holds again is to be acknowledged again", () => {
  const desk = new Desk();
  desk.see(0, [outside("a.example")]);
  const { id } = desk.last;
  desk.act(1, "acknowledge");
  desk.see(10, [outside("a.example", 2, 10)]);
  assertEquals([desk.last.acknowledged, desk.next(10)], [null, 60]);
  desk.act(11, "acknowledge");
  desk.see(12, []);
  assertEquals(desk.last.reasonEnded, at(12));
  assertEquals(desk.see(20, [outside("a.example", 2, 10)]), [`reopened>opened ${A}`]);
  assertEquals([desk.last.id, desk.last.acknowledged], [id, null]);
  desk.act(21, "mute", 120);
  desk.see(30, []);
  assertEquals(desk.next(30), 120);
});
