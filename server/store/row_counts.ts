import type { Written } from "./engine.ts";

export interface RowCounts extends Written {
  readonly read: number;
  readonly rejected: number;
}

export function formatRowCounts({ read, added, changed, rejected }: RowCounts): string {
  const same = read - added - changed - rejected;
  return `${read} read: ${added} new, ${changed} changed, ${same} unchanged, ${rejected} rejected`;
}
