import type { ReportRun } from "../../lib/types.ts";
import { maskAddress } from "../../lib/runs/mask.ts";
import type { RecipientChoice } from "./filter_form.tsx";

/** The recipients of runs who have a user id, by name. */
export function recipientChoices(runs: readonly ReportRun[]): RecipientChoice[] {
  const names = new Map<number, string>();
  for (const { recipients } of runs) {
    for (const { userId, displayName } of recipients ?? []) {
      if (typeof userId !== "number" || names.get(userId)) continue;
      names.set(userId, shownName(displayName));
    }
  }
  return [...names].map(([userId, name]) => ({ userId, name }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The name to display. Some services put an email address there, which is masked. */
export function shownName(name: string | null | undefined): string {
  return name?.includes("@") ? maskAddress(name) : name ?? "";
}
