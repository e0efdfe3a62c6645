/** Recipients who are new from outside. */
import type { ReportRun } from "../types.ts";
import { noOutsiders, type Outsider, outsiderKey, readOutsiders } from "./outsiders.ts";
import { recipientHistories, type RecipientHistory } from "./recipients.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { newestFirst, timeOf } from "./times.ts";

/** A new recipient with an address outside the usual domains. */
export interface Newcomer<Run> {
  /** Whose address it is. */
  readonly history: RecipientHistory<Run>;
  /** Its domain. */
  readonly domain: string;
  /** The known domain that this one looks like, such as `example.com` for `examp1e.com`. */
  readonly resembles?: string;
}

/**
 * Recipients who became new from outside within the month before the newest run: at a domain that
 * was not known, or at a host for private mail. A second address of a known person is new as well. A
 * subdomain of a known domain, such as `mail.example.com` of `example.com`, is known.
 *
 * @param runs The runs, in any order. Those that failed were sent to nobody.
 * @param statuses What each status means.
 * @returns New outside recipients; none before the first runs show who is usual.
 */
export function outsideNewcomers<Run extends ReportRun>(
  runs: readonly Run[],
  statuses: StatusDictionary,
): Newcomer<Run>[] {
  const memory = noOutsiders();
  for (const run of newestFirst(runs).reverse()) {
    const time = timeOf(run.startTime);
    if (time === undefined || meaningOf(run.status, statuses) === "bad") continue;
    readOutsiders(memory, run, time);
  }
  return newcomersAmong(runs, memory.outsiders, statuses);
}

/** The histories of recipients who are new from outside, in these runs. */
export function newcomersAmong<Run extends ReportRun>(
  runs: readonly Run[],
  outsiders: readonly Outsider[],
  statuses: StatusDictionary,
): Newcomer<Run>[] {
  if (outsiders.length === 0) return [];
  const known = new Map(outsiders.map((outsider) => [outsider.key, outsider]));
  return recipientHistories(runs, statuses).flatMap((history) => {
    const outsider = known.get(outsiderKey(history.recipient));
    if (!outsider) return [];
    const { domain, resembles } = outsider;
    return [{ history, domain, ...(resembles && { resembles }) }];
  });
}
