/** Packs of signed evidence: what a link asks for, and the pack while it is made. */
import type { Actor } from "../../lib/actor.ts";
import { startOfDay } from "../../lib/days.ts";
import type { EvidenceQuestion } from "../../lib/evidence/manifest.ts";
import { makePack } from "../../lib/evidence/write_pack.ts";
import type { Sealing } from "../auth/sealing.ts";
import { loadEvidenceKey } from "../backend/evidence_keys.ts";
import type { Service } from "../backend/service.ts";
import { VERSION } from "../config/version.ts";
import { ProblemError } from "../http/problem.ts";
import { MAX_EVIDENCE_SCHEDULES, readScheduleIds } from "../schedules/schedule_id_list.ts";
import type { PageServices, PageState } from "./page_request.ts";

interface EvidenceState extends Pick<PageState, "statuses"> {
  readonly services:
    & PageServices
    & Pick<Service, "backendFor">
    & { readonly recordsSealing: Sealing | null };
  readonly person: Actor | null;
  readonly signedIn: { readonly token: string } | null;
  readonly requestId: string;
  readonly origin: string;
}

/**
 * The bytes of a pack, while it is made.
 *
 * @throws {ProblemError} With status 503 if there is no database for the key
 */
export async function loadEvidence(
  { services, person, statuses, signedIn, requestId, origin }: EvidenceState,
  question: EvidenceQuestion,
  options: { readonly masked: boolean; readonly limit: number; readonly signal: AbortSignal },
) {
  const { records, recordsSealing, settings } = services;
  if (!records || !recordsSealing) {
    throw new ProblemError(503, "Signing needs a database: set DATABASE_URL");
  }
  // Not the backend that filters itself, since what is signed is the service's own answer.
  const backend = services.backendFor(signedIn!.token, { requestId, timeouts: "download" });
  return makePack(backend, question, {
    key: await (await loadEvidenceKey(records, recordsSealing)).unseal(),
    service: settings.serviceBaseUrl ?? origin,
    docket: VERSION,
    now: Date.now,
    ...options,
    statuses,
    serviceZone: settings.serviceZone,
    ...(person && { by: person }),
  });
}

/** The schedules of a link, of their runs or of who received them on a day; null if it has none. */
export function readSchedulesQuestion(
  params: URLSearchParams,
  { zone, now }: { readonly zone: string; readonly now: number },
): EvidenceQuestion | null {
  const [list, on] = [params.get("schedules"), params.get("on")];
  if (list === null) return null;
  const { ids, issue } = readScheduleIds(list, MAX_EVIDENCE_SCHEDULES);
  const isDay = on === null || (startOfDay(on, zone) ?? Infinity) <= now;
  const wrongIds = issue ?? (ids.length > 0 ? null : "must have an id");
  const errors = [
    ...wrongIds ? [{ parameter: "schedules", detail: wrongIds }] : [],
    ...isDay ? [] : [{ parameter: "on", detail: "must be a day until today, such as 2026-09-30" }],
  ];
  if (errors.length > 0) throw new ProblemError(400, "This link is not valid", { errors });
  return { scheduleIds: ids, ...(on !== null && { on, zone }) };
}
