import type { ReportRun } from "../../lib/types.ts";

/** A run as tables and islands have it: who received it by user id alone. */
export interface RunRow extends Omit<ReportRun, "recipients"> {
  readonly recipients?: readonly { readonly userId?: number | null }[] | null;
}

/** Leaves names and addresses on the server: what an island gets stands in the page's source. */
export function runRow({ recipients, ...rest }: ReportRun): RunRow {
  return recipients ? { ...rest, recipients: recipients.map(({ userId }) => ({ userId })) } : rest;
}

/** What started a run, in words; undefined where the service does not say. */
export function triggerWords(automated: boolean | null | undefined): string | undefined {
  if (automated === true) return "automated";
  if (automated === false) return "by hand";
}
