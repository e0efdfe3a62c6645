import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { loadNeeded, loadOutsiders } from "../../../server/pages/incident_rows.ts";
import { sampleReason } from "../../sample_reasons.ts";
import { insertIncident } from "../../../server/store/records/incidents.ts";
import { START, withWorld } from "../observer/world.ts";
import { incident } from "../store/records/incident.ts";

Deno.test("loadOutsiders: finds who still receives it among any number who no longer do", () =>
  withWorld([1], async (world) => {
    const person = (userId: number) => ({ userId, emailAddress: `${userId}@partner.example` });
    world.run(1, START - DAY, {
      recipients: Array.from({ length: 1001 }, (_, at) => person(at + 1)),
    });
    world.run(1, START - HOUR, { recipients: [person(2000)] });
    await world.until(START + 1);
    await world.records.receipts.count(1);
    const reason = sampleReason("outside-recipient", { domain: "partner.example" });
    const about = incident("outside", { scheduleId: 1, reason });
    const found = await loadOutsiders(world.records, about, START);
    assertEquals(found.map(({ recipient }) => recipient.userId), [2000]);
  }));

Deno.test("loadNeeded: groups and rows stand where their most urgent incidents would", () =>
  withWorld([1], async ({ records }) => {
    const planted = [
      ...Array.from(
        { length: 9 },
        (_, at) =>
          incident(`missed ${at}`, { scheduleId: at + 1, code: "missed", severity: "warning" }),
      ),
      incident("failing", { scheduleId: 20 }),
    ];
    await records.commit(planted.map((each) => insertIncident(each)));
    const { items, total } = await loadNeeded(records, { now: START, zone: "UTC" });
    assertEquals(items.map(({ code, group }) => [code, group?.count]), [
      ["failing", undefined],
      ["missed", 9],
    ]);
    assertEquals(total, 10);
  }));
