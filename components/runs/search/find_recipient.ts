import type { ReportRun } from "../../../lib/types.ts";

/**
 * The user id of a recipient by name or email address.
 *
 * @returns The user id, or why nobody was found. It never repeats what was typed, since that may be
 * an address.
 */
export function findRecipient(typed: string, runs: readonly ReportRun[]): number | string {
  const wanted = typed.toLowerCase();
  const isAddress = typed.includes("@");
  const ids = new Set<number | null>();
  for (const { recipients } of runs) {
    for (const { userId, displayName, emailAddress } of recipients ?? []) {
      const known = isAddress ? emailAddress : displayName;
      if (known?.toLowerCase() === wanted) ids.add(userId ?? null);
    }
  }
  const [first, ...others] = ids;
  if (ids.size === 0) {
    return isAddress
      ? "No loaded run went to this address"
      : "Write the name, user id or address of a recipient, or a domain such as @example.com";
  }
  if (others.length > 0) return `Several users match: write one of ${[...ids].join(", ")}`;
  return first ?? "This recipient has no user id: write the domain, such as @example.com";
}
