import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../../lib/time_units.ts";
import { NO_FAILURES } from "../../../../lib/judgement/retries.ts";
import { incidentSteps } from "../../../../server/observer/polling/incident_steps.ts";
import { HOURLY, START, withWorld } from "../world.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const DAILY = { ...HOURLY, cron: ["0 23 * * *"] };
const HALF_HOURLY = { ...HOURLY, cron: ["*/30 * * * *"] };

Deno.test("incidentSteps: a missed run is reported unless its slot moved, as where clocks changed", () =>
  withWorld([1, 2, 3], async ({ records }) => {
    /** Records that a run of a schedule is overdue, then what is missed; gives the open incidents. */
    async function codesAfter(scheduleId: number, missed: number, plan = DAILY) {
      const watch = { ...(await records.watches.get(scheduleId))!, lease: "a" };
      const services = { records, origin: "https://docket.example.com" };
      for (
        const [code, since, minutes] of [["overdue", START, 10], ["missed", missed, 99]] as const
      ) {
        const reason = sampleReason(code, { since, due: since, latest: since });
        const at = START + minutes * MINUTE;
        const moment = { at, isJudged: true, failures: NO_FAILURES };
        const verdict = { details: { reasons: [reason], plan }, people: null, lastSuccess: null };
        await records.commit((await incidentSteps(watch, verdict, services, moment)).steps);
      }
      return (await records.incidents.open(scheduleId)).map(({ code }) => code);
    }
    assertEquals(await codesAfter(1, START - HOUR), []);
    assertEquals(await codesAfter(2, START - 2 * HOUR), ["missed"]);
    // The plan has the slot that was overdue as well.
    assertEquals(await codesAfter(3, START - HOUR / 2, HALF_HOURLY), ["missed"]);
  }, { plans: () => null }));

for (const source of ["confirmed", "inferred"]) {
  Deno.test(`pollSchedule: a run that is missed soon after another was reported as overdue is reported, by the plan ${source}`, () =>
    withWorld([1], async (world) => {
      const at = (minutes: number) => START + 10 * HOUR + minutes * MINUTE;
      for (let minutes = -6000; minutes < 0; minutes += 30) {
        world.run(1, at(minutes), { automated: true });
      }
      for (const minutes of [20, 30]) world.run(1, at(minutes), { automated: true });
      await world.until(at(50));
      // Docket was off for a while, and the next run did not start.
      for (let minutes = 90; minutes < 300; minutes += 30) {
        world.run(1, at(minutes), { automated: true });
      }
      world.sleepUntil(at(96));
      await world.until(at(280));
      assertEquals(world.notified().slice(0, 3), [
        "opened overdue 1",
        "resolved overdue 1",
        "opened missed 1",
      ]);
    }, { real: true, plans: () => source === "confirmed" ? HALF_HOURLY : null }));
}
