/** Schedules whose receipts are to be counted again. */

/** A statement, given the one that selects source, schedule id and 1, with a `WHERE`. */
export function uncount(select: string): string {
  return `INSERT INTO uncounted (source, schedule_id, changes) ${select} ` +
    "ON CONFLICT (source, schedule_id) DO UPDATE SET changes = uncounted.changes + 1";
}
