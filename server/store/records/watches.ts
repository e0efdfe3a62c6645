/** Known and watched schedules, and their settings. */
import { ProblemError } from "../../http/problem.ts";
import { RETRY_SECONDS } from "../database_error.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { routesChanged } from "./owners.ts";
import { columnsOf, insertInto, recordsOf, select, update } from "./table.ts";
import type { StoredWatch, WatchSettings } from "./types.ts";
import { VERDICT_SETTINGS } from "./verdicts.ts";
import { amongIds, optionalCondition, type Sql, whereAll } from "../sql.ts";

/** How often a change is tried while others change the same watch. */
const MAX_TRIES = 20;

export const WATCHES = recordsOf<StoredWatch>(
  "watches",
  "schedule_id, watched, source, name, title, owner_id, note, plan, pauses, false_incidents, " +
    "muted_until, created, due, polled, failures, failing_since, failure",
);
const KNOWN: typeof WATCHES = { ...WATCHES, from: "known_schedules" };

export function watchesOn(engine: Engine) {
  const getKnown = async (scheduleId: number): Promise<StoredWatch | undefined> =>
    (await select(engine, KNOWN, "WHERE schedule_id = ?", [scheduleId]))[0];
  return {
    list(scheduleIds?: readonly number[]): Promise<readonly StoredWatch[]> {
      const where = scheduleIds ? `WHERE ${amongIds("schedule_id", scheduleIds)}` : "";
      return select(engine, WATCHES, `${where} ORDER BY schedule_id`);
    },
    get: async (scheduleId: number): Promise<StoredWatch | undefined> =>
      (await select(engine, WATCHES, "WHERE schedule_id = ?", [scheduleId]))[0],
    getKnown,
    async any(): Promise<boolean> {
      const text = "SELECT schedule_id FROM watches LIMIT 1";
      return (await engine.rows(text)).length > 0;
    },
    /** Watches schedules, or with `watched` 0 adds them as known; returns the ids that were added. */
    async add(
      scheduleIds: readonly number[],
      now: number,
      settings: Partial<WatchSettings> = {},
      stepsFor: (scheduleId: number) => readonly Sql[] = () => [],
      { source = "hand", watched = 1 }: Partial<Pick<StoredWatch, "source" | "watched">> = {},
    ): Promise<readonly number[]> {
      const kind = {
        source,
        watched,
        title: "",
        created: now,
        due: now,
        polled: null,
        failures: 0,
      };
      const initial = { ...NEW, ...settings, ...kind };
      // A schedule that was watched before keeps its settings; its next poll is the first of the watch.
      const changed = Object.keys(columnsOf({ ...settings, watched, due: now, polled: null }));
      const rest = "ON CONFLICT (schedule_id) DO UPDATE SET " +
        changed.map((name) => `${name} = excluded.${name}`).join(", ") +
        " WHERE known_schedules.watched < excluded.watched RETURNING schedule_id";
      const added: number[] = [];
      for (const scheduleId of new Set(scheduleIds)) {
        const watch = insertInto("known_schedules", { ...initial, scheduleId }, rest);
        const steps = [
          { ...watch, required: true },
          ...stepsFor(scheduleId),
        ];
        if (await engine.transact(steps) !== null) added.push(scheduleId);
      }
      return added;
    },
    /** Changes settings; false if the schedule is not known. After a conflict, `change` runs again. */
    async change(
      scheduleId: number,
      change: Partial<WatchSettings> | ((watch: StoredWatch) => Partial<WatchSettings> | null),
      now: number,
      steps: readonly Sql[] = [],
    ): Promise<boolean> {
      for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
        const watch = await getKnown(scheduleId);
        const settings = watch && typeof change === "function" ? change(watch) : change;
        if (!watch || settings === null) return false;
        // Undone if somebody else changed these settings since they were read.
        const previous = Object.entries(columnsOf(
          Object.fromEntries(
            Object.keys(settings).map((name) => [name, watch[name as keyof StoredWatch]]),
          ),
        ));
        const rest = "WHERE schedule_id = ? " +
          previous.map(([name]) => `AND ${name} IS NOT DISTINCT FROM ? `).join("") +
          "RETURNING schedule_id";
        const values = [scheduleId, ...previous.map(([, value]) => value)];
        const next = { ...settings, due: now };
        const text = "UPDATE verdicts SET holds_until = 0 WHERE schedule_id = ?";
        const changed = await engine.transact([
          { ...update("known_schedules", next, rest, values), required: true },
          // The stored verdict used other settings.
          ...(VERDICT_SETTINGS.some((name) => name in settings)
            ? [{ text, values: [scheduleId] }]
            : []),
          ...("note" in settings ? [routesChanged(now)] : []),
          ...steps,
        ]);
        if (changed !== null) return true;
      }
      throw new ProblemError(
        503,
        `Schedule ${scheduleId} was not changed, because others changed it at once. Please try again`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    },
    /** Ends a watch. The schedule stays known, with its settings, runs and incidents. */
    async remove(scheduleId: number, steps: readonly Sql[] = []): Promise<boolean> {
      const unwatched = { watched: 0, lease: null, leaseUntil: null };
      const rest = "WHERE schedule_id = ? AND watched = 1 RETURNING schedule_id";
      const ended = update("known_schedules", unwatched, rest, [scheduleId]);
      return await engine.transact([{ ...ended, required: true }, ...steps]) !== null;
    },
    /** Removes a known schedule, but not its runs; false if it is watched. */
    async forget(scheduleId: number): Promise<boolean> {
      const text = "DELETE FROM known_schedules WHERE schedule_id = ? AND watched = 0 " +
        "RETURNING schedule_id";
      return (await engine.rows(text, [scheduleId])).length > 0;
    },
  };
}

/** The name that people gave a schedule, or else its report's title. */
export function watchName({ name, title }: Pick<StoredWatch, "name" | "title">): string {
  return name || title;
}

/** Undoes the transaction if the schedule, or for null any schedule, is watched. */
export function onlyUnwatched(scheduleId: number | null): TransactionStep {
  const { text: which, values } = whereAll(
    optionalCondition("schedule_id = ?", scheduleId ?? undefined),
  );
  const text = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM watches ${which})`;
  return { text, values, required: true };
}

const NEW: WatchSettings = {
  name: "",
  note: "",
  plan: null,
  pauses: [],
  falseIncidents: [],
  mutedUntil: null,
};
