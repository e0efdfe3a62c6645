import { assertEquals } from "@std/assert";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
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
    const ofSchedule = async (more: Partial<Parameters<typeof loadSilences>[1][number]>) =>
      (await loadSilences(records, [{ ...muted, ...more }], NOW)).get(7)!;
    const ofIncident = (more: Parameters<typeof incident>[1]) =>
      loadIncidentSilence(records, incident("a", { mutedUntil: NOW + DAY, ...more }), NOW);
    const cases: [readonly Silence[], ...string[]][] = [
      [await ofSchedule({}), "muted: Bob (not verified), a migration"],
      [await ofSchedule({ mutedUntil: null, pauses: [days] }), "paused: Ada (not verified), "],
      [
        await ofSchedule({ mutedUntil: null, pauses: [{ from: NOW, to: null }] }),
        "paused: Bob (not verified), holidays",
      ],
      [await ofIncident({}), "muted: Bob (not verified), longer"],
      [await ofIncident({ mutedUntil: NOW })],
      [await ofIncident({ resolved: NOW })],
    ];
    for (const [silences, ...said] of cases) {
      assertEquals(silences.map(({ kind, person, note }) => `${kind}: ${person}, ${note}`), said);
    }
  }));
