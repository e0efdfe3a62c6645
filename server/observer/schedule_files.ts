/** Saves a file of schedules in the background. Any process can continue after another was killed. */
import type { Actor } from "../../lib/judgement/actor.ts";
import type { FileSchedule } from "../inventory/schedule_file.ts";
import { removeValue, setNumber, setText } from "../store/records/values.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { saveSchedules } from "./end_watch.ts";

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

const NAME = "schedule-file";
const ROWS = "schedule-file/rows";
const DUTY = "schedule-file";
/** How long others wait for a process that was killed. */
const DUTY_MS = 15_000;
const CHUNK = 50;

/** The latest file; undefined if there was none. */
export async function latestScheduleFile(
  { values }: ObserverRecords,
): Promise<ScheduleFileProgress | undefined> {
  const text = await values.text(NAME);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Begins to save a file; false while another one is not saved. */
export async function beginScheduleFile(
  records: ObserverRecords,
  schedules: readonly FileSchedule[],
  by: Pick<ScheduleFileProgress, "skipped" | "actor" | "origin" | "started">,
): Promise<boolean> {
  const latest = await latestScheduleFile(records);
  if (latest?.ended === null) return false;
  const counts = { total: schedules.length, next: 0, added: 0, changed: 0 };
  return await records.commit([
    setText(ROWS, JSON.stringify(schedules)),
    setText(NAME, JSON.stringify({ ...by, ...counts, ended: null })),
    setNumber(`duty/${DUTY}`, 0),
  ]);
}

/** Continues the file that is not saved yet, if there is one and no other process does. */
export async function continueScheduleFile(
  records: ObserverRecords,
  now = Date.now,
): Promise<void> {
  let file = await latestScheduleFile(records);
  if (file?.ended !== null || !await records.values.claimDuty(DUTY, now(), now() + DUTY_MS)) return;
  const rows: readonly FileSchedule[] = JSON.parse(await records.values.text(ROWS) ?? "[]");
  while (file.ended === null) {
    const { next, actor, origin }: ScheduleFileProgress = file;
    const by = { actor, now: now() };
    const saved = await saveSchedules({ records, origin }, rows.slice(next, next + CHUNK), by);
    const isLast = next + CHUNK >= rows.length;
    file = {
      ...file,
      next: Math.min(rows.length, next + CHUNK),
      added: file.added + saved.added,
      changed: file.changed + saved.changed,
      ended: isLast ? now() : null,
    };
    await records.commit([
      setText(NAME, JSON.stringify(file)),
      setNumber(`duty/${DUTY}`, isLast ? 0 : now() + DUTY_MS),
      ...isLast ? [removeValue(ROWS)] : [],
    ]);
  }
}
