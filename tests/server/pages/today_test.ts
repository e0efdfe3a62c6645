import { assertEquals } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { actOnIncident } from "../../../server/actions/act_on_incident.ts";
import type { PageState } from "../../../server/pages/page_request.ts";
import { loadToday } from "../../../server/pages/today.ts";
import { ADA } from "../../actors.ts";
import { openCodes, START, withWorld } from "../observer/world.ts";

Deno.test("loadToday: without a plan, an unknown status is a trouble, and nothing else", () =>
  withWorld([1, 2], async (world) => {
    const { records } = world;
    const settings = { observer: {} };
    const state = {
      ...{ services: { records, settings }, preferences: { zone: "UTC" } },
    } as unknown as PageState;
    const troubles = async () => {
      const { watched } = await loadToday(state, new URLSearchParams());
      return watched!.summary.troubles.map((each) => [each.scheduleId, each.headline]);
    };
    world.run(1, START - 2 * HOUR);
    world.run(2, START - 2 * HOUR, { status: "odd" });
    await world.until(START + HOUR);
    assertEquals(await troubles(), [[2, "unknown"]]);
    // Also after somebody resolved the incident that asks for its meaning.
    const [{ id: incidentId }] = await records.incidents.open(null);
    const resolved = { incidentId, kind: "resolved" } as const;
    await actOnIncident(world.services, resolved, { actor: ADA, now: world.now() });
    assertEquals([await openCodes(world, null), await troubles()], [[], [[2, "unknown"]]]);
    // An outage is the service's.
    world.refuse(500);
    await world.until(START + 2 * HOUR);
    assertEquals(await troubles(), [[2, "unknown"]]);
  }, { plans: () => null }));
