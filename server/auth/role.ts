/**
 * What a person may do, least first: a user uses the service, a reader also sees Docket's records, and
 * an operator also changes what everybody sees.
 */
export const ROLES = ["user", "reader", "operator"] as const;
export type Role = typeof ROLES[number];

/** The role of a person with these groups and addresses; null if they have none. */
export function findRole(
  memberships: readonly string[],
  { readers, operators }: {
    readonly readers: readonly string[];
    readonly operators: readonly string[];
  },
): Role | null {
  const isAmong = (names: readonly string[]) => memberships.some((each) => names.includes(each));
  return isAmong(operators) ? "operator" : isAmong(readers) ? "reader" : null;
}
