import type { ReportRun } from "../../lib/types.ts";
import { maskAddress } from "../../lib/runs/mask.ts";
import type { RecipientChoice } from "./filter_form.tsx";

/** Everybody with a user id whom runs list, by name. */
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

/** A name to show; some services put the address where the name should be. */
export function shownName(name: string | null | undefined): string {
  return name?.includes("@") ? maskAddress(name) : name ?? "";
}
