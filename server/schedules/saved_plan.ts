/** The version and the summary of a schedule's saved plan. */
import { createHash } from "node:crypto";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import type { KnownSchedule, WatchSettings } from "../store/records/watches.ts";
import { toPlanFields } from "./plan_fields.ts";

/** Shows whether somebody else changed the plan meanwhile. */
export function planVersion({ plans, pauses }: Pick<KnownSchedule, "plans" | "pauses">): string {
  return createHash("sha256").update(JSON.stringify([plans, pauses])).digest("hex").slice(0, 16);
}

/** What a form sends to confirm an inferred plan as it is; null if there is none, or a saved one. */
export function confirmFields(
  plan: Plan | null | undefined,
  { plans, pauses }: Pick<KnownSchedule, "plans" | "pauses">,
  zone: string,
): Readonly<Record<string, string>> | null {
  if (!plan || plans.length > 0) return null;
  return { ...toPlanFields(plan, pauses, zone), seen: planVersion({ plans, pauses }) };
}

/** A summary such as `daily at 06:00, UTC; grace 20 min; days without runs: 2026-12-24`. */
export function planSummary({ plan, pauses }: Pick<WatchSettings, "plan" | "pauses">): string {
  const fields = toPlanFields(plan, pauses, "UTC");
  const days = fields.pauses.replaceAll("\n", ", ");
  return [
    ...(plan ? [describePlan(plan), `grace ${fields.grace} min`] : ["the inferred plan"]),
    ...(days ? [`days without runs: ${days}`] : []),
  ].join("; ");
}
