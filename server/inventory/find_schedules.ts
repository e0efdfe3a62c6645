/** Finds schedules by asking for each id of a range; any process can continue. */
import { isDocketError } from "../../lib/errors.ts";
import type { Backend } from "../../lib/client/backend.ts";
import { errorStatus } from "../backend/service.ts";
import { ID_SEARCH_DUTY, type IdAnswer, type IdSearch } from "../store/observer/asked_ids.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";

export interface FindServices {
  readonly records: Pick<ObserverRecords, "askedIds" | "values" | "watches">;
  readonly access: {
    readonly backend: Backend;
    pausedUntil(): number;
  };
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const MAX_IDS = 1_000_000;
export const USUAL_RATE = 5;
export const MAX_RATE = 50;
/** How long one instance asks before another may take over. */
const TURN_MS = 30_000;
/** How long others wait for an instance that was killed. */
const DUTY_MS = 60_000;
const TIMEOUT_MS = 15_000;
/** How often an id is tried if the service fails, and the wait between tries. */
const ATTEMPTS = 3;
const WAIT_MS = 1000;
/** After this many failed ids in a row, the search stops. */
const MAX_FAILED = 10;
/** No service is likely to have these schedules; some refuse ids of more than 32 bits. */
const UNLIKELY_IDS = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1];

/** Begins a search, or continues one of the same range; false if another search is open. */
export async function beginSearch(
  { records: { askedIds }, now }: Pick<FindServices, "records" | "now">,
  { from, to, rate }: Pick<IdSearch, "from" | "to" | "rate">,
): Promise<boolean> {
  const isSame = (each: IdSearch) => each.from === from && each.to === to;
  const open = await askedIds.open();
  if (open && !isSame(open)) return false;
  const before = (await askedIds.searches()).find(isSame);
  if (before && before.ended === null) {
    const { answers: _, ...search } = before;
    await askedIds.change(search, { rate, stopped: null });
    return true;
  }
  const start = { started: now(), ended: null, stopped: null, pausedUntil: 0, answersEmpty: null };
  await askedIds.begin({ ...start, from, to, rate, next: from, failed: 0 });
  return true;
}

export async function stopSearch(
  { askedIds }: FindServices["records"],
  { from, to }: Pick<IdSearch, "from" | "to">,
): Promise<void> {
  const search = await askedIds.open();
  if (search?.from !== from || search.to !== to) return;
  await askedIds.change(search, { stopped: "Stopped by a person" });
}

/** Asks for ids of the open search for some time; false if there is no more to ask. */
export async function continueSearch(
  services: FindServices,
  signal?: AbortSignal,
): Promise<boolean> {
  const { records: { askedIds, values }, now } = services;
  const search = await askedIds.open();
  if (!search) return false;
  const at = now();
  if (search.pausedUntil > at) return true;
  if (!await values.takeDuty(ID_SEARCH_DUTY, at, at + DUTY_MS)) return true;
  try {
    const changes = await askOn(search, { ...services, until: at + TURN_MS, signal });
    const asked = (await askedIds.open())?.next! - search.next;
    const msPerId = asked > 0 ? (now() - at) / asked : search.msPerId;
    await askedIds.change(search, { ...changes, msPerId });
    return !changes.ended && !changes.stopped;
  } finally {
    await askedIds.endTurn();
  }
}

type Asking = FindServices & { readonly signal?: AbortSignal };

async function askOn(
  search: IdSearch,
  services: Asking & { readonly until: number },
): Promise<Partial<IdSearch>> {
  const { records: { askedIds, watches }, access, now, sleep, until, signal } = services;
  const answersEmpty = search.answersEmpty ?? await answersUnlikely(services);
  if (access.pausedUntil() > now()) return { answersEmpty, pausedUntil: access.pausedUntil() };
  let { failed } = search;
  for (let id = search.next; id <= search.to; id++) {
    const asked = now();
    if (asked >= until || signal?.aborted) return { answersEmpty, failed };
    // A person may have stopped it.
    if ((await askedIds.open())?.started !== search.started) return {};
    const answer = await ask(id, services);
    const pausedUntil = access.pausedUntil();
    if (pausedUntil > now()) return { answersEmpty, failed, pausedUntil };
    if (signal?.aborted) return { answersEmpty, failed };
    if (answer === "unauthorized") {
      return { stopped: "The service rejected the token: set OBSERVER_TOKEN" };
    }
    if (answer === "exists" || answer === "never-ran" && !answersEmpty) {
      await watches.add([id], asked, {}, undefined, { source: "found", watched: 0 });
    }
    await askedIds.record(search, id, answer, asked);
    failed = answer === "failed" ? failed + 1 : 0;
    if (failed >= MAX_FAILED) {
      await askedIds.goBack(search, id - failed + 1);
      return { answersEmpty, failed: 0, stopped: `${MAX_FAILED} ids in a row could not be asked` };
    }
    await sleep(Math.max(0, asked + 1000 / search.rate - now()), signal).catch(() => {});
  }
  return { ended: now(), answersEmpty, answers: await askedIds.count(search) };
}

/** Whether an id that does not exist is answered with an empty list; null if that failed. */
async function answersUnlikely(services: Asking): Promise<boolean | null> {
  for (const id of UNLIKELY_IDS) {
    const answer = await ask(id, services);
    if (answer !== "failed") return answer === "never-ran";
    if (services.access.pausedUntil() > services.now()) break;
  }
  return null;
}

async function ask(
  id: number,
  { access, sleep, now, signal }: Asking,
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
      await sleep(WAIT_MS * attempt, signal).catch(() => {});
    }
  }
}
