import type { ReportRun } from "../../../lib/types.ts";

/**
 * The user id of a recipient by id, name or email address.
 *
 * @returns The user id, or why nobody was found. It never repeats what was typed, since that may be
 * an address.
 */
export function findRecipient(
  typed: string,
  runs: readonly ReportRun[],
): { readonly userId: number } | string {
  if (/^\d+$/.test(typed)) {
    return Number.isSafeInteger(Number(typed))
      ? { userId: Number(typed) }
      : "must be a user id with fewer digits";
  }
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
      ? "is an address that no loaded run went to"
      : "must be a name, a user id, an address or a domain of a loaded run";
  }
  if (others.length > 0) return `fits several users: enter one of ${[...ids].join(", ")}`;
  return first === null
    ? "has no user id: filter by the domain, such as @example.com"
    : { userId: first };
}
