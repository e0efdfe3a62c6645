/** Recipients who are new from outside. */
import type { Recipient, ReportRun } from "../types.ts";
import { type Outsider, outsiderKey } from "./outsiders.ts";
import { recipientKey } from "./recipients.ts";
import { newestFirst } from "./times.ts";

/** A new recipient with an address outside the usual domains. */
export interface Newcomer {
  /** The recipient, as the newest run lists them. */
  readonly recipient: Recipient;
  /** The domain of the address. */
  readonly domain: string;
  /** The known domain that this one looks like, such as `example.com` for `examp1e.com`. */
  readonly resembles?: string;
}

/** The recipients of these runs who are new from outside. */
export function newcomersAmong(
  runs: readonly ReportRun[],
  outsiders: readonly Outsider[],
): Newcomer[] {
  if (outsiders.length === 0) return [];
  const recipients = new Map<string, Recipient>();
  for (const run of newestFirst(runs)) {
    for (const recipient of run.recipients ?? []) {
      const key = recipientKey(recipient);
      if (!recipients.has(key)) recipients.set(key, recipient);
    }
  }
  const known = new Map(outsiders.map((outsider) => [outsider.key, outsider]));
  return [...recipients.values()].flatMap((recipient) => {
    const outsider = known.get(outsiderKey(recipient));
    if (!outsider) return [];
    const { domain, resembles } = outsider;
    return [{ recipient, domain, ...(resembles && { resembles }) }];
  });
}
