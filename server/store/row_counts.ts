/** What became of rows that were imported or synced. */
export interface RowCounts {
  readonly read: number;
  /** Rows that were not there before. */
  readonly added: number;
  /** Rows that were there with other values. */
  readonly changed: number;
  /** Rows that could not be taken. */
  readonly rejected: number;
}

export function formatRowCounts({ read, added, changed, rejected }: RowCounts): string {
  const same = read - added - changed - rejected;
  return `${read} read: ${added} new, ${changed} changed, ${same} unchanged, ${rejected} rejected`;
}
