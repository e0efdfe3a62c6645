import { assertEquals } from "@std/assert";
import type { Silence } from "../../../lib/judgement/incidents/incident.ts";
import { DAY } from "../../../lib/time_units.ts";
import { loadIncidentSilence, loadSilences } from "../../../server/pages/silences.ts";
import { incidentEvent, watchEvent } from "../../../server/store/records/events.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { ADA, BOB } from "../../actors.ts";
import { incident, NOW } from "../store/records/incident.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

Deno.test("silences: say who muted a schedule or an incident, or expects no runs, and why", () =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const by = (actor: typeof ADA) => ({ scheduleId: 7, actor, now: NOW });
    const of = { incidentId: "a", at: NOW };
    await records.commit([
      watchEvent("plan confirmed", by(ADA), { note: "0 6 * * *" }),
      watchEvent("no runs expected", by(BOB), { note: "from 2026-03-10T00:00Z on; holidays" }),
      watchEvent("schedule muted", by(BOB), { note: "until 2026-03-11T00:00Z; a migration" }),
      incidentEvent({ ...of, kind: "muted", actor: ADA, note: "known" }),
      incidentEvent({ ...of, kind: "muted", actor: BOB, note: "longer" }),
      incidentEvent({ ...of, kind: "noted", actor: ADA, note: "still" }),
    ]);
    const muted = { scheduleId: 7, mutedUntil: NOW + DAY, pauses: [] };
    const days = { from: NOW - DAY, to: NOW + DAY };
    const said = (silences: readonly Silence[]) =>
      silences.map(({ kind, person, note }) => `${kind}: ${person}, ${note}`).join();
    const ofSchedule = async (more: Partial<Parameters<typeof loadSilences>[1][number]>) =>
      said((await loadSilences(records, [{ ...muted, ...more }], NOW)).get(7)!);
    const ofIncident = async (more: Parameters<typeof incident>[1]) =>
      said(await loadIncidentSilence(records, incident("a", { ...muted, ...more }), NOW));
    const open = { from: NOW, to: null };
    assertEquals(await ofSchedule({}), "muted: Bob (not verified), a migration");
    const paused = (pause: typeof days | typeof open) =>
      ofSchedule({ mutedUntil: null, pauses: [pause] });
    assertEquals(await paused(days), "paused: Ada (not verified), ");
    assertEquals(await paused(open), "paused: Bob (not verified), holidays");
    assertEquals(await ofIncident({}), "muted: Bob (not verified), longer");
    const over = [await ofIncident({ mutedUntil: NOW }), await ofIncident({ resolved: NOW })];
    assertEquals(over, ["", ""]);
  }));
