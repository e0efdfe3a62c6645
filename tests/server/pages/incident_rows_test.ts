import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import {
  incidentRow,
  loadIncidentRows,
  loadNeeded,
  loadOutsiders,
  MAX_OUTSIDERS,
} from "../../../server/pages/incident_rows.ts";
import { sampleReason } from "../../sample_reasons.ts";
import { insertIncident, type StoredIncident } from "../../../server/store/records/incidents.ts";
import { START, withWorld } from "../observer/world.ts";
import { incident, NOW } from "../store/records/incident.ts";

Deno.test("loadOutsiders: finds who still receives it among any number who no longer do", () =>
  withWorld([1], async (world) => {
    const person = (userId: number) => ({ userId, emailAddress: `${userId}@partner.example` });
    const many = Array.from({ length: 1001 }, (_, at) => person(at + 1));
    world.run(1, START - DAY, { recipients: many });
    world.run(1, START - HOUR, { recipients: [person(2000)] });
    await world.until(START + 1);
    const reason = sampleReason("outside-recipient", { domain: "partner.example" });
    const about = incident("outside", { scheduleId: 1, reason });
    const find = async () => await loadOutsiders(world.records, about, START);
    assertEquals((await find()).map(({ recipient }) => recipient.userId), [2000]);
    world.run(1, START, { recipients: many });
    await world.poll(START + HOUR);
    assertEquals((await find()).length, MAX_OUTSIDERS + 1, "so that the page says that it cuts");
  }));

Deno.test("loadIncidentRows: says who was notified, what is muted, and which run is unknown", () =>
  withWorld([1, 2, 3], async (world) => {
    const statuses = ["failure", "odd", "failure"];
    for (const [at, status] of statuses.entries()) world.run(at + 1, START, { status });
    await world.until(START + HOUR);
    const open = await world.records.incidents.allOpen();
    await world.records.watches.change(3, { mutedUntil: world.now() + HOUR }, world.now());
    const rows = await loadIncidentRows(world.records, open, { now: world.now(), zone: "UTC" });
    // Its schedule is muted.
    const silent = rows.flatMap(({ scheduleId, silences }) =>
      silences.map(({ kind }) => `${scheduleId} ${kind}`)
    );
    assertEquals(silent, ["3 muted"]);
    const said = rows.map(({ code, sent, unsent, run }) =>
      `${code} ${sent.map(({ outlet }) => outlet)} ${unsent} ${run?.scheduleId ?? ""}`.trim()
    );
    const failing = "failing webhook";
    assertEquals(said.toSorted(), [failing, failing, "unknown-status webhook  2"]);
  }));

Deno.test("loadNeeded: a group counts each schedule once, and stands where its first incident would", () =>
  withWorld([1], async ({ records }) => {
    const some = (code: StoredIncident["code"], ...scheduleIds: number[]) =>
      scheduleIds.map((scheduleId, at) =>
        incident(`${code} ${at}`, { scheduleId, subject: `${at}`, code, severity: "warning" })
      );
    const planted = [
      ...[...some("missed", 1, 2, 3, 1), ...some("flaky", 1, 2, 3)],
      ...[...some("late", 1, 2), incident("failing", {})],
    ];
    const load = async (more: readonly StoredIncident[]) => {
      await records.commit(more.map((each) => insertIncident(each)));
      return await loadNeeded(records, { now: START, zone: "UTC" });
    };
    assertEquals((await load(planted.slice(0, 8))).items.filter(({ group }) => group), []);
    const { items, total } = await load(planted.slice(8));
    const rows = items.map(({ code, group }) =>
      group ? `${code}: ${group.count} of ${group.schedules}` : code
    );
    const expected = ["failing", "missed: 4 of 3", "flaky: 3 of 3", "late", "late"];
    assertEquals([rows, total], [expected, 10]);
  }));

Deno.test("incidentRow: says since when only of what began before it was found", () => {
  const sinceOf = (since: number) => {
    const reason = sampleReason("overdue", { since });
    return incidentRow(incident("a", { opened: NOW, reason }), { now: NOW, zone: "UTC" }).since;
  };
  assertEquals([sinceOf(NOW), sinceOf(NOW + 1)], [NOW, null]);
});
