/** What a poll uses: the service, the worker that judges, and the records. */
import type { JudgedRuns, JudgeQuestion } from "./judging/judging_questions.ts";
import type { IncidentServices } from "./outbox.ts";
import type { ServiceAccess } from "./service_access.ts";

export interface PollServices extends IncidentServices {
  readonly judge: (question: JudgeQuestion) => Promise<JudgedRuns>;
  readonly everyMs: number;
  readonly access: ServiceAccess;
  readonly now: () => number;
  /** The IANA name of the service's zone: of times without one, and in which plans are looked for first. */
  readonly zone: string;
  /** The organization's own domains, as set; without any, they are found. */
  readonly homeDomains: readonly string[];
  /** How long runs are retained, in milliseconds. Default: for ever. */
  readonly retainRunsMs?: number | null;
}
