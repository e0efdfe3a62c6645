/** What a reason says about the content or the level of runs. */
import type { Reason, ReasonCode } from "../../../lib/judgement/reason.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";

/** Whether a reason is about the email rather than its attachments. */
export function isAboutEmail(reason: Reason): boolean {
  if (reason.code === "size-jump") return reason.field === "emailSize";
  if (reason.code !== "empty-delivery") return false;
  const { almost, gone } = reason;
  return almost ? almost.field === "emailSize" : gone.length === 1 && gone[0] === "emailSize";
}

const LEVELS: ReadonlySet<ReasonCode> = new Set([
  ...["size-jump", "empty-delivery", "slower", "outside-recipient", "leaver-recipient"] as const,
  ...["recipients-dropped", "sent-to-nobody"] as const,
]);

/** Whether a reason is about an abrupt change at its `since`, not a drift or single runs. */
export function isChange(reason: Reason): reason is Reason & { readonly since: number } {
  return reason.since !== null && LEVELS.has(reason.code) &&
    !(reason.code === "slower" && reason.slowly);
}

/** The look of what a status means. */
export function statusTone(meaning: StatusMeaning): "good" | "bad" | "neutral" {
  return meaning === "good" || meaning === "bad" ? meaning : "neutral";
}
