import { assertEquals } from "@std/assert";
import { NO_FAILURES } from "../../../../lib/runs/judge/retries.ts";
import { incidentSteps } from "../../../../server/observer/looking/incident_steps.ts";
import type { KeptReason } from "../../../../server/store/observer/types.ts";
import { HOUR, MINUTE, START, withWorld } from "../world.ts";

Deno.test("incidentSteps: a missed run is not reported again where a change of clocks moved its slot", () =>
  withWorld([1], async ({ records }) => {
    const watch = { ...(await records.watches.get(1))!, lease: "a" };
    /** Records reasons; gives the codes of the incidents that are open then. */
    async function recorded(at: number, code: string, since: number): Promise<readonly string[]> {
      const reason: KeptReason = { code, severity: "warning", since, runs: [], evidence: {} };
      const services = { records, outlets: [], origin: "https://docket.example.com" };
      const moment = { at, isJudged: true, failures: NO_FAILURES };
      await records.commit((await incidentSteps(watch, [reason], services, moment)).steps);
      return (await records.incidents.open(1)).map(({ code }) => code);
    }
    const told = START + 10 * MINUTE;
    assertEquals(await recorded(told, "overdue", START), ["overdue"]);
    assertEquals(await recorded(told + 24 * HOUR, "missed", START - HOUR), []);
    assertEquals(await recorded(told + 25 * HOUR, "missed", START - HOUR), []);
    assertEquals(await recorded(told + 26 * HOUR, "missed", START - 2 * HOUR), ["missed"]);
  }));
