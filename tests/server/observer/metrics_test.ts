import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { writeMetrics } from "../../../server/observer/metrics.ts";
import { HOURLY, START, withWorld } from "./world.ts";

Deno.test("writeMetrics: polls and deliveries by outcome, and no number for what is not known", () =>
  withWorld([1, 2], async (world) => {
    const { watches, counters } = world.records;
    world.run(1, START - HOUR);
    await world.observer.pollDue();
    await watches.add([3], START + HOUR);
    const sent = { counted: "messages", outlet: "mail", outcome: "sent", count: 1 } as const;
    await counters.add([sent]);
    const text = await writeMetrics(world.records);
    assertStringIncludes(text, '\ndocket_observer_polls_total{outcome="ok"} 2\n');
    assertStringIncludes(text, '\ndocket_deliveries_total{outlet="mail",outcome="sent"} 1\n');
    assertStringIncludes(text, "within their grace\n# TYPE docket_schedule_overdue_runs gauge\n");
    const named = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}{schedule_id="(\\d+)"} (\\d+)`, "gm"))]
        .map(([, id, value]) => [Number(id), Number(value)]);
    assertEquals(named("docket_schedule_plan_confirmed"), [[1, 1], [2, 0], [3, 0]]);
    assertEquals(named("docket_schedule_up"), [[1, 1]]);
    const started = (START - HOUR) / 1000;
    assertEquals(named("docket_schedule_last_success_timestamp_seconds"), [[1, started]]);
    assertStringIncludes(text, `docket_schedule_state{schedule_id="2",state="new"} 1\n`);
    assertEquals(text.match(/^docket_schedule_state\{/gm)?.length, 10);
    assert(text.endsWith("# EOF\n"));
  }, { plans: (id) => id === 2 ? null : HOURLY }));
