/** Saves a file of schedules in the background. Any process can continue after another was killed. */
import type { FileSchedule } from "../schedules/schedule_file.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { ScheduleFileProgress } from "../store/records/file_progress.ts";
import { saveSchedules } from "./end_watch.ts";

const DUTY = "schedule-file";
/** How long others wait for a process that was killed. */
const DUTY_MS = 15_000;
const CHUNK = 50;

/** Begins to save a file; false while another one is not saved. */
export async function beginScheduleFile(
  { scheduleFile, duties }: ObserverRecords,
  schedules: readonly FileSchedule[],
  by: Pick<ScheduleFileProgress, "skipped" | "actor" | "origin" | "started">,
): Promise<boolean> {
  const isBegun = await scheduleFile.begin(schedules, by);
  if (isBegun) await duties.setDue(DUTY, 0);
  return isBegun;
}

/** Continues the file that is not saved yet, if there is one and no other process does. */
export async function continueScheduleFile(
  records: ObserverRecords,
  now = Date.now,
): Promise<void> {
  const { scheduleFile, duties } = records;
  const latest = await scheduleFile.latest();
  if (latest?.ended !== null || !await duties.claim(DUTY, now(), now() + DUTY_MS)) return;
  const rows = await scheduleFile.schedules<FileSchedule>();
  const { actor, origin } = latest;
  for (let file: ScheduleFileProgress = latest; file.ended === null;) {
    const { next } = file;
    const by = { actor, now: now() };
    const saved = await saveSchedules({ records, origin }, rows.slice(next, next + CHUNK), by);
    const isLast = next + CHUNK >= rows.length;
    const progress: Pick<ScheduleFileProgress, "next" | "added" | "changed" | "ended"> = {
      next: Math.min(rows.length, next + CHUNK),
      added: file.added + saved.added,
      changed: file.changed + saved.changed,
      ended: isLast ? now() : null,
    };
    await scheduleFile.record(progress);
    await duties.setDue(DUTY, isLast ? 0 : now() + DUTY_MS);
    file = { ...file, ...progress };
  }
}
