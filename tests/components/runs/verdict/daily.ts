/** A run a day from 5 January 2026 at 06:00. */
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";

/** What statuses mean unless somebody says otherwise. */
export const STATUSES = defaultStatusDictionary();
/** When the first of the runs starts. */
export const FIRST = Date.parse("2026-01-05T06:00:00Z");
/** Forty days on which all went well. */
export const GOOD: readonly string[] = Array.from({ length: 40 }, () => "success");

/** The runs that end with these results, from the first day on. */
export function daily(results: readonly string[]): (ReportRun & { readonly id: number })[] {
  return results.map((status, index) => ({
    ...{ id: index + 1, status, automated: true, attachmentCount: 1, attachmentSize: 1000 },
    ...{ emailSize: 2000, recipients: [{ userId: 1, emailAddress: "ann@example.com" }] },
    startTime: new Date(FIRST + index * DAY).toISOString(),
    endTime: new Date(FIRST + index * DAY + MINUTE).toISOString(),
  }));
}
