import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { loadSilences } from "../../../server/pages/silences.ts";
import { watchEvent } from "../../../server/store/records/events.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { ADA } from "../../actors.ts";
import { NOW } from "../store/records/incident.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

Deno.test("loadSilences: says who muted a schedule, why, and who set its days without runs", () =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const ben = { name: "Ben", known: "token" } as const;
    const by = (actor: typeof ben | typeof ADA) => ({ scheduleId: 7, actor, now: NOW });
    await records.commit([
      watchEvent("plan confirmed", by(ADA), { note: "0 6 * * *" }),
      watchEvent("schedule muted", by(ben), { note: "until 2026-03-11T00:00Z; a migration" }),
    ]);
    const pauses = [{ from: NOW - DAY, to: NOW + DAY }];
    const silent = { scheduleId: 7, mutedUntil: NOW + DAY, pauses };
    const found = (await loadSilences(records, [silent], NOW)).get(7)!;
    assertEquals(found.map(({ kind, person, note }) => [kind, person, note]), [
      ["muted", "Ben", "a migration"],
      ["paused", "Ada (not verified)", ""],
    ]);
  }));
