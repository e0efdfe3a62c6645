import { assertEquals, assertThrows } from "@std/assert";
import { Cron } from "croner";
import fc from "fast-check";
import { dayIn } from "../../../../lib/days.ts";
import { DAY, HOUR } from "../../../../lib/time_units.ts";
import {
  graceEndOf,
  type Plan,
  planSlots,
  shortestGrace,
} from "../../../../lib/judgement/plans/plan.ts";
import { readCron } from "../../../../lib/judgement/plans/cron.ts";

/** Zones with days after which their clocks change, and some others. */
const PLACES = [
  ...["Europe/Berlin 2026-03-28", "Europe/Berlin 2026-10-24", "America/New_York 2026-03-07"],
  ...["America/New_York 2026-10-31", "America/Santiago 2026-04-04", "America/Santiago 2026-09-05"],
  // These clocks jump by half an hour.
  ...["Australia/Lord_Howe 2026-10-03", "Australia/Lord_Howe 2026-04-04"],
  ...["Africa/Casablanca 2026-02-14", "Africa/Casablanca 2026-03-21"],
  ...["Pacific/Auckland 2026-09-25", "Asia/Kolkata 2026-12-30", "UTC 2024-02-27"],
];

const minute = fc.oneof(
  fc.integer({ min: 0, max: 59 }).map(String),
  fc.constantFrom("0", "30", "*/15", "*", "0,30", "5-55/10", "10-20", "*/7"),
);
const hour = fc.oneof(
  fc.integer({ min: 0, max: 23 }).map(String),
  fc.constantFrom("0", "1", "2", "3", "*", "*/2", "1-3", "8-18", "0,2,14", "9-17/4"),
);
const day = fc.constantFrom(
  ..."* * * 1 15 31 L LW 1W 15W 31W 15,L 1-7 */2 1,15,28".split(" "),
);
const month = fc.constantFrom("*", "*", "*", "1,4,7,10", "*/3", "2", "JAN-MAR", "DEC");
const weekday = fc.constantFrom(
  ..."* * * 1-5 MON 0 7 6,0 5-7 1#1 TUE#3 5#L 2,4 1-5/2 +1-5 +MON +0,6".split(" "),
);

const expression = fc.oneof(
  fc.tuple(minute, hour, day, month, weekday),
  fc.tuple(fc.constantFrom("0", "30", "45", "*/30"), fc.constantFrom("0", "1", "2", "3", "1-3"))
    .map((times) => [...times, "* * *"]),
).map((fields) => fields.join(" "));

/** What croner gives, moment by moment. */
function byCroner(expression: string, zone: string, from: number, to: number): number[] {
  const cron = new Cron(expression, { timezone: zone, paused: true, mode: "5-part" });
  const found: number[] = [];
  let time = new Date(from - 1);
  for (;;) {
    const next = cron.nextRun(time);
    if (next === null || next.getTime() >= to) return found;
    found.push(next.getTime());
    time = next;
  }
}

/** Parts of fields; most make no sense. */
const part = fc.constantFrom(
  ..."*,?,0,1,5,7,8,12,13,23,24,31,32,59,60,L,W,15W,32W,#1,5#1,5#L,5L,1#6,JAN,DEC,FRI,SUN,MOX"
    .split(","),
);
// Unlike croner, we allow LW in a list, and no range with a step that ends beyond the field.
const anyField = fc.oneof(
  part,
  fc.constant("LW"),
  fc.tuple(part, part).map((pair) => pair.join("-")),
  fc.tuple(part, part).map((pair) => pair.join("/")),
  fc.tuple(part, part).map(([from, step]) => `${from}-5/${step}`),
  fc.tuple(part, part).map((pair) => pair.join(",")),
);
const anyExpression = fc.oneof(
  fc.constantFrom("@reboot", "", "0 6 * *", "0 0 6 * * *"),
  fc.tuple(fc.nat(4), anyField, fc.constantFrom("", "+")).map(([place, field, plus]) =>
    ["0", "6", "*", "*", "*"].with(place, place === 4 ? plus + field : field).join(" ")
  ),
);

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

Deno.test("readCron: reads what croner reads, and nothing else", () =>
  fc.assert(
    fc.property(anyExpression, (expression) => {
      const cron = () => new Cron(expression, { paused: true, mode: "5-part" });
      assertEquals(isRead(() => readCron(expression)), isRead(cron), expression);
    }),
    { numRuns: 1000 },
  ));

Deno.test("readCron: Sunday may end a range", () => {
  assertEquals(readCron("0 6 * * FRI-SUN"), readCron("0 6 * * 5-7"));
});

function planOf(cron: readonly string[], zone: string): Plan {
  return { cron, zone, graceMs: 0, since: 0 };
}

/** How many weeks, which begin on Mondays, a day is after the first one of 1970. */
const weekOf = (day: string) => Math.floor((Date.parse(day) / DAY + 3) / 7);

Deno.test("planSlots: the moments that croner gives, of each nth week, where clocks change too", () =>
  fc.assert(
    fc.property(
      fc.array(expression, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...PLACES),
      fc.integer({ min: 0, max: 47 }),
      fc.constantFrom(1, 1, 2, 3),
      fc.constantFrom("2026-01-04", "2026-01-07"),
      (cron, place, hours, n, first) => {
        const [zone, day] = place.split(" ");
        const from = Date.parse(day) + hours * HOUR;
        const to = from + (cron.some((each) => /^(\*|\S*[/,-])/.test(each)) ? 3 : 40) * DAY;
        const plan = { ...planOf(cron, zone), everyWeeks: { n, from: first } };
        const due = new Set(cron.flatMap((each) => byCroner(each, zone, from, to)));
        const expected = [...due].sort((a, b) => a - b)
          .filter((at) => (weekOf(dayIn(zone)(at)) - weekOf(first)) % n === 0);
        assertEquals(planSlots(plan, from, to), expected, `${cron} ${place} ${hours}`);
      },
    ),
    // August begins on a Saturday, and its 16th is a Sunday.
    {
      numRuns: 250,
      examples: [[["0 6 1W * *", "0 6 16W * *"], "UTC 2026-07-31", 0, 1, "2026-01-04"]],
    },
  ));

Deno.test("planSlots: what is wrong with a plan is said", () => {
  const slots = (plan: Partial<Plan>) => () =>
    planSlots({ ...planOf(["0 6 * * *"], "UTC"), ...plan }, 0, DAY);
  assertThrows(slots({ cron: [] }), TypeError, "cron expression");
  assertThrows(slots({ cron: ["60 6 * * *"] }), RangeError, "minute");
  assertThrows(slots({ cron: ["0 6 * * * *"] }), RangeError, "five fields");
  assertThrows(slots({ zone: "Europe/Nowhere" }), RangeError);
  assertThrows(slots({ everyWeeks: { n: 0, from: "2026-01-05" } }), RangeError, "everyWeeks.n");
  assertEquals(slots({ everyWeeks: { n: 1, from: "1969-12-29" } })().length, 1);
  assertThrows(slots({ everyWeeks: { n: 2, from: "soon" } }), RangeError, "everyWeeks.from");
  assertThrows(() => planSlots(planOf(["* * * * *"], "UTC"), 0, 1000 * DAY), RangeError);
});

Deno.test("graceEndOf, shortestGrace: the grace, but only until a run would belong to the next slot", () => {
  const plan = { cron: ["0 6 * * 1-5"], zone: "UTC", graceMs: 30 * HOUR, since: 0 };
  const [monday, friday] = [Date.UTC(2026, 0, 5, 6), Date.UTC(2026, 0, 9, 6)];
  assertEquals(graceEndOf(plan, monday) - monday, 0.95 * DAY);
  assertEquals(graceEndOf(plan, friday) - friday, 30 * HOUR);
  assertEquals(graceEndOf({ ...plan, graceMs: HOUR }, monday) - monday, HOUR);
  assertEquals(shortestGrace(plan, [monday, monday + DAY]), 0.95 * DAY);
  assertEquals(shortestGrace({ ...plan, graceMs: HOUR }, [monday]), null);
  // Five minutes are always left.
  const often = { ...plan, cron: ["* * * * *"], graceMs: HOUR };
  assertEquals(graceEndOf(often, monday) - monday, HOUR / 12);
});
