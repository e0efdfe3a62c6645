/** What actions work with. Each action is one function for one thing that people may change. */
import type { Sealing } from "../auth/sealing.ts";
import type { Service } from "../backend/service.ts";
import type { Settings } from "../config/settings.ts";
import { ProblemError } from "../http/problem.ts";
import type { Judging } from "../observer/judging/judging.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

type UsedJudging = Pick<Judging, "readCalendarFile">;

export interface ActionServices {
  readonly records: ObserverRecords;
  readonly settings: Settings;
  /** Seals secrets in the records. */
  readonly sealing: Sealing;
  readonly judging: UsedJudging;
  /** The origin of links in messages. */
  readonly origin: string;
}

/** The services that were opened at the start. */
export interface OpenedServices extends Pick<Service, "records"> {
  readonly settings: Settings;
  readonly recordsSealing: Sealing | null;
  readonly judging: UsedJudging;
  readonly noRecords?: string | null;
}

/**
 * The services of an action.
 *
 *     await acknowledgeIncident(actionServices(ctx.state), { incidentId, note }, acting)
 *
 * @throws {ProblemError} With status 404 if there are no records
 */
export function actionServices(
  { services, origin }: { readonly services: OpenedServices; readonly origin: string },
): ActionServices {
  const { records, recordsSealing: sealing, settings, judging } = services;
  if (records && sealing) return { records, sealing, settings, judging, origin };
  throw new ProblemError(404, whyNotObserved(services)!);
}
