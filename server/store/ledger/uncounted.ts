/** Schedules whose receipts must be recounted. */

/** Adds schedules; `select` gives source, schedule id and 1, and has a `WHERE`. */
export function uncount(select: string): string {
  return `INSERT INTO uncounted (source, schedule_id, changes) ${select} ` +
    "ON CONFLICT (source, schedule_id) DO UPDATE SET changes = uncounted.changes + 1";
}
