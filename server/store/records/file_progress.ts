/** The latest file of schedules, which is saved in the background, and how far it is saved. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import { type Database, withJson } from "../database/database.ts";
import { set, sql, upsert } from "../database/sql.ts";
import { commit, required } from "./transaction_step.ts";

/** A file, and how far it is saved; times are milliseconds since 1970. */
export interface ScheduleFileProgress {
  readonly total: number;
  /** How many of its schedules are saved. */
  readonly next: number;
  readonly added: number;
  readonly changed: number;
  /** Wrong lines, which are left out. */
  readonly skipped: number;
  readonly actor: Actor;
  readonly origin: string;
  readonly started: number;
  readonly ended: number | null;
}

export function scheduleFileOn(database: Database) {
  return {
    async latest(): Promise<ScheduleFileProgress | undefined> {
      const rows = await database.read<object>(
        sql`SELECT total, next, added, changed, skipped, actor, origin, started, ended
          FROM schedule_file`,
      );
      return withJson<ScheduleFileProgress>(rows, ["actor"])[0];
    },
    /** The schedules of the file that is not saved to its end yet. */
    async schedules<Schedule>(): Promise<readonly Schedule[]> {
      const [row] = await database.read<{ schedules: string }>(
        sql`SELECT schedules FROM schedule_file WHERE ended IS NULL`,
      );
      return JSON.parse(row?.schedules ?? "[]");
    },
    /** Replaces the latest file; false while that one is not saved to its end. */
    begin(
      schedules: readonly object[],
      by: Pick<ScheduleFileProgress, "skipped" | "actor" | "origin" | "started">,
    ): Promise<boolean> {
      const progress = { total: schedules.length, next: 0, added: 0, changed: 0, ended: null };
      const file = upsert("schedule_file", [{ id: 1, ...by, ...progress, schedules }], ["id"]);
      return commit(database, [required(sql`${file} WHERE schedule_file.ended IS NOT NULL`)]);
    },
    async record(
      progress: Pick<ScheduleFileProgress, "next" | "added" | "changed" | "ended">,
    ): Promise<void> {
      const schedules = progress.ended === null ? undefined : [];
      await database.write(sql`UPDATE schedule_file SET ${set({ ...progress, schedules })}`);
    },
  };
}
