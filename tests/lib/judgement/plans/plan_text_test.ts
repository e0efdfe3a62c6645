import { assertEquals, assertThrows } from "@std/assert";
import { parsePlan, readDuration } from "../../../../lib/judgement/plans/parse.ts";

Deno.test("parsePlan: expressions, zone and grace, with their defaults", () => {
  const zone = "Europe/Berlin";
  const whole = parsePlan({ cron: "0 6 * * 1-5; 0 12 L * *", zone, grace: "90s" }, 7);
  assertEquals(whole, { cron: ["0 6 * * 1-5", "0 12 L * *"], zone, graceMs: 90_000, since: 7 });
  const usual = parsePlan({ cron: "0 0 * * *" }, 0);
  assertEquals(usual, { cron: ["0 0 * * *"], zone: "UTC", graceMs: 600_000, since: 0 });
});

Deno.test("parsePlan: an error names the part, the text and what is allowed", () => {
  const cases: readonly (readonly [cron: string, message: string])[] = [
    ["0 0 6 * * *", "it must have five fields: minute, hour, day of month, month and day of week"],
    [
      "61 6 * * *",
      'the minute is 0 to 59, a list, a range such as 0-59 or a step such as */2, not "61"',
    ],
    [
      "0 6 * * 1,MOX",
      "the day of the week is 0 to 7 (0 and 7 are Sunday), 1#2, 5L, a list, a range such as 0-7 " +
      'or a step such as */2, not "MOX"',
    ],
  ];
  for (const [cron, message] of cases) {
    const error = assertThrows(() => parsePlan({ cron: `0 1 * * *;${cron}` }, 0), RangeError);
    assertEquals(error.message, `cron can't be "${cron}": ${message}`);
  }
  const cron = "0 6 * * *";
  const at = (zone: string, grace: string) => parsePlan({ cron, zone, grace }, 0);
  assertThrows(() => at("Europe/Berln", "1m"), RangeError, "zone must be the IANA name");
  assertThrows(() => at("UTC", "0m"), RangeError, "grace must be a time such as 90s, 20m");
});

Deno.test("readDuration: a whole number and a unit, and nothing else", () => {
  assertEquals(["90s", "20m", " 2h ", "1d"].map(readDuration), [90_000, 1.2e6, 7.2e6, 8.64e7]);
  assertEquals(["", "0s", "5", "1.5h", "2w", "-1m"].map(readDuration), Array(6).fill(undefined));
});
