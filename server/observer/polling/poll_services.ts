/** What polls need, and how they end. */
import type { IncidentServices } from "../message_steps.ts";
import type { JudgingServices } from "./judge_stored_runs.ts";
import type { ServiceAccess } from "./service_access.ts";

export interface PollServices extends IncidentServices, JudgingServices {
  readonly access: ServiceAccess;
  readonly now: () => number;
  /** IANA name of the zone of the service's times without one. */
  readonly zone: string;
}

/** How a poll ended; `lost` if another instance took over meanwhile, `unjudged` if no worker was free. */
export type PollResult = "ok" | "failed" | "lost" | "unjudged";
