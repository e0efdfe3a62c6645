import type { ReportRun } from "../../../lib/types.ts";
import { ownUserId, peopleAmong, sharedUserIds, shownName } from "../../../lib/runs/recipients.ts";

export const MAX_LISTED = 1000;

/** The recipients of runs who have a user id, sorted by name, up to the maximum. */
export function recipientChoices(runs: readonly ReportRun[]) {
  const names = new Map<number, string>();
  const shared = sharedUserIds(runs.map(({ recipients }) => recipients));
  for (const recipient of runs.flatMap(({ recipients }) => recipients ?? [])) {
    const userId = ownUserId(recipient, shared);
    if (userId !== null && !names.get(userId)) names.set(userId, shownName(recipient.displayName));
  }
  return [...names].map(([userId, name]) => ({ userId, name }))
    .sort((a, b) => a.name < b.name ? -1 : 1).slice(0, MAX_LISTED);
}

/** A recipient's user id, or an error, which never repeats a typed address. */
export function findRecipient(typed: string, runs: readonly ReportRun[]): number | string {
  const wanted = typed.toLowerCase();
  const isAddress = typed.includes("@");
  const ids = new Set<number | null>();
  const lists = runs.map(({ recipients }) => recipients ?? []);
  const identify = peopleAmong(lists);
  for (const recipient of lists.flat()) {
    const known = isAddress ? recipient.emailAddress : recipient.displayName;
    if (known?.toLowerCase() === wanted) ids.add(identify(recipient).userId);
  }
  const [first, ...others] = ids;
  if (ids.size === 0) {
    return isAddress
      ? "No loaded run went to this address"
      : "Enter the name, user id or address of a recipient, or a domain such as @example.com";
  }
  if (others.length > 0) return `Several users match: enter one of ${[...ids].join(", ")}`;
  return first ?? "This recipient has no user id: enter the domain, such as @example.com";
}

const MAX_SUGGESTIONS = 50;

/** The values that the search form suggests: statuses, and names that only one recipient has. */
export function runValues(
  runs: readonly ReportRun[],
  recipients: ReturnType<typeof recipientChoices>,
) {
  const names = recipients.map(({ name }) => name).filter((name) => name && !name.includes("@"));
  return {
    status: [...new Set(runs.flatMap(({ status }) => status || []))].slice(0, MAX_SUGGESTIONS),
    recipient: names.filter((name) => names.indexOf(name) === names.lastIndexOf(name))
      .slice(0, MAX_SUGGESTIONS),
  };
}
