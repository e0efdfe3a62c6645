/** Scans: finds schedules by requesting each id of a range. Any process can continue one. */
import { isDocketError } from "../../lib/errors.ts";
import type { Backend } from "../../lib/client/backend.ts";
import { errorStatus } from "../backend/service.ts";
import type { IdAnswer, Scan } from "../store/records/stored_scans.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

export interface ScanServices {
  readonly records: Pick<ObserverRecords, "scans" | "duties" | "watches">;
  readonly access: {
    readonly backend: Backend;
    pausedUntil(): number;
  };
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const MAX_IDS = 1_000_000;
export const DEFAULT_RATE = 5;
export const MAX_RATE = 50;
/** How long one instance scans before another may continue. */
const TURN_MS = 30_000;
const DUTY = "scan";
/** How long others wait for an instance that was killed. */
const DUTY_MS = 60_000;
const TIMEOUT_MS = 15_000;
const ATTEMPTS = 3;
/** The pause after the first attempt; it grows with each further one. */
const PAUSE_MS = 1000;
const MAX_FAILED = 10;
/** An id that no service is likely to have; some services refuse ids of more than 32 bits. */
const UNLIKELY_ID = 2 ** 31 - 1;

/** Starts a scan, or continues one of the same range; false if another is running. */
export function beginScan(
  { alone }: Pick<ObserverRecords, "alone">,
  { from, to, rate, now }: Pick<Scan, "from" | "to" | "rate"> & { readonly now: number },
): Promise<boolean> {
  const isSame = (each: Scan) => each.from === from && each.to === to;
  return alone("scans", async ({ scans }) => {
    const open = await scans.open();
    if (open && !isSame(open)) return false;
    const before = (await scans.stored()).find(isSame);
    if (before && before.ended === null) await scans.change(before, { rate, stopped: null });
    else await scans.begin({ from, to, rate, started: now });
    return true;
  });
}

/** Continues the running scan for some time; false if it has ended or there is none. */
export async function continueScan(
  services: ScanServices,
  signal?: AbortSignal,
): Promise<boolean> {
  const { records: { scans, duties }, now } = services;
  const scan = await scans.open();
  if (!scan) return false;
  const at = now();
  if (scan.pausedUntil > at) return true;
  if (!await duties.claim(DUTY, at, at + DUTY_MS)) return true;
  try {
    const changes = await scanIds(scan, { ...services, until: at + TURN_MS, signal });
    await scans.change(scan, changes);
    return !changes.ended && !changes.stopped;
  } finally {
    await duties.setDue(DUTY, 0);
  }
}

type StoppableServices = ScanServices & { readonly signal?: AbortSignal };

async function scanIds(
  scan: Scan,
  services: StoppableServices & { readonly until: number },
): Promise<Partial<Scan>> {
  const { records: { scans, watches }, access, now, sleep, until, signal } = services;
  const answersEmpty = scan.answersEmpty ?? await answersUnlikely(services);
  if (access.pausedUntil() > now()) return { answersEmpty, pausedUntil: access.pausedUntil() };
  let { failed } = scan;
  for (let id = scan.next; id <= scan.to; id++) {
    const requested = now();
    if (requested >= until || signal?.aborted) return { answersEmpty, failed };
    // A person may have stopped it.
    if ((await scans.open())?.started !== scan.started) return {};
    const answer = await requestId(id, services);
    const pausedUntil = access.pausedUntil();
    if (pausedUntil > now()) return { answersEmpty, failed, pausedUntil };
    if (signal?.aborted) return { answersEmpty, failed };
    if (answer === "unauthorized") {
      return { stopped: "The service rejected the token: set OBSERVER_TOKEN" };
    }
    if (answer === "exists" || answer === "never-ran" && !answersEmpty) {
      await watches.add([id], requested, {}, undefined, { source: "found", watched: 0 });
    }
    await scans.record(scan, id, answer, requested);
    failed = answer === "failed" ? failed + 1 : 0;
    if (failed >= MAX_FAILED) {
      await scans.rewind(scan, id - failed + 1);
      return {
        answersEmpty,
        failed: 0,
        stopped: `${MAX_FAILED} ids in a row were not answered`,
      };
    }
    await sleep(Math.max(0, requested + 1000 / scan.rate - now()), signal).catch(() => {});
  }
  return { ended: now(), answersEmpty, answers: await scans.count(scan) };
}

/** Whether the service returns an empty list for ids that don't exist; null if that is not known. */
async function answersUnlikely(services: StoppableServices): Promise<boolean | null> {
  const answer = await requestId(UNLIKELY_ID, services);
  return answer === "failed" ? null : answer === "never-ran";
}

async function requestId(
  id: number,
  { access, sleep, now, signal }: StoppableServices,
): Promise<IdAnswer | "unauthorized"> {
  for (let attempt = 1;; attempt++) {
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const runs = await access.backend.reportSchedules.history(id, { limit: 1, signal: either });
      return runs.length > 0 ? "exists" : "never-ran";
    } catch (error) {
      if (signal?.aborted) return "failed";
      const status = errorStatus(error);
      // Any other error is Docket's own fault.
      if (status === null && !isDocketError(error)) throw error;
      if (status === 404) return "missing";
      if (status === 403) return "forbidden";
      if (status === 401) return "unauthorized";
      const isPaused = access.pausedUntil() > now();
      if (isPaused || attempt === ATTEMPTS) return "failed";
      await sleep(PAUSE_MS * attempt, signal).catch(() => {});
    }
  }
}
