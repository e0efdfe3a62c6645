/** Finds the schedules whose records a person may see: those that their own token may read. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Settings } from "../config/settings.ts";
import { ProblemError } from "../http/problem.ts";
import type { NewDecision } from "../store/ledger/recipient_decisions.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { nameKey } from "../store/text.ts";
import type { SignedIn } from "./current_session.ts";
import { type Caller, errorStatus, type Service } from "./service.ts";

const CACHED_MS = 5 * 60 * 1000;
/** How long a page waits for answers. Later ones are there for the next page. */
const WAIT_MS = 2000;
const MAX_CONCURRENT = 6;
const MAX_TOKENS = 200;

export interface VisibleSchedules {
  readonly ids: ReadonlySet<number>;
  /** All others: the token may not read them, or the service has not answered yet. */
  readonly hidden: ReadonlySet<number>;
  /** The hidden ones for which the service has not answered yet. */
  readonly unchecked: ReadonlySet<number>;
}

interface Answer {
  readonly mayRead: boolean;
  readonly validUntil: number;
}

export function createVisibleTo(
  { kind, records, backendFor }: Pick<Service, "kind" | "records" | "backendFor">,
  { allReadRecords }: Pick<Settings, "allReadRecords">,
  { now = Date.now, waitMs = WAIT_MS } = {},
) {
  const cache = new LRUCache<string, Map<number, Answer>>({ max: MAX_TOKENS });
  const checks = new Map<string, Promise<boolean>>();

  /** Checks which schedules the token may read; stops and returns false if the service fails. */
  async function check(
    token: string,
    ids: readonly number[],
    answers: Map<number, Answer>,
    caller: Caller,
  ): Promise<boolean> {
    const backend = backendFor(token, caller);
    const remaining = [...ids];
    let isComplete = true;
    async function work(): Promise<void> {
      for (let id = remaining.shift(); id !== undefined; id = remaining.shift()) {
        const mayRead = await isAllowed(() => backend.reportSchedules.history(id, { limit: 1 }));
        if (mayRead === null) {
          isComplete = false;
          remaining.length = 0;
          return;
        }
        answers.set(id, { mayRead, validUntil: now() + CACHED_MS });
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
    return isComplete;
  }

  /** Which of these schedules a person may see; null for all. */
  return async function visibleTo(
    { session, token }: Pick<SignedIn, "session" | "token">,
    caller: Caller,
    among: (records: ObserverRecords) => Promise<readonly number[]>,
    longestMs = waitMs,
  ): Promise<VisibleSchedules | null> {
    // With an identity provider, pages read the service with the observer's token.
    if (kind === "embedded" || allReadRecords || !records || session.oidc) return null;
    const ids = await among(records);
    const key = createHash("sha256").update(token).digest("hex");
    const answers = cache.get(key) ?? new Map<number, Answer>();
    cache.set(key, answers);
    const leftMs = (id: number) => (answers.get(id)?.validUntil ?? 0) - now();
    const isKnown = (id: number) => leftMs(id) > 0;
    const missing = () => ids.filter((id) => !isKnown(id));
    // Checked again early, so that a person who keeps reading never waits and misses nothing.
    const due = () =>
      ids.filter((id) => leftMs(id) < CACHED_MS / 2).sort((a, b) => leftMs(a) - leftMs(b));
    if (due().length > 0) {
      // Waits for the previous check, which may answer for the same schedules, or fail.
      const checking = (checks.get(key) ?? Promise.resolve(true))
        .then((isComplete) => isComplete && check(token, due(), answers, caller))
        .finally(() => checks.get(key) === checking && checks.delete(key));
      checks.set(key, checking);
      const waiting = new AbortController();
      const wait = missing().length > 0 ? longestMs : 0;
      await Promise.race([
        checking,
        delay(wait, undefined, { signal: waiting.signal }).catch(() => {}),
      ]);
      waiting.abort();
    }
    const sees = (id: number) => isKnown(id) && answers.get(id)!.mayRead;
    return {
      ids: new Set(ids.filter(sees)),
      hidden: new Set(ids.filter((id) => !sees(id))),
      unchecked: new Set(missing()),
    };
  };
}

/** @throws {ProblemError} If one of the schedules is hidden from the person who acts on it. */
export function requireVisible(
  visible: VisibleSchedules | null,
  scheduleIds: readonly number[],
): void {
  const hidden = scheduleIds.filter((id) => visible?.hidden.has(id));
  if (hidden.length === 0) return;
  const refused = hidden.find((id) => !visible!.unchecked.has(id));
  if (refused !== undefined) {
    throw new ProblemError(403, `${NOT_ALL}: schedule ${refused} is hidden from you`);
  }
  const detail = `The service did not say yet whether you may see schedule ${hidden[0]}: try again`;
  throw new ProblemError(503, detail, { retryAfterSeconds: 5 });
}

/**
 * For what concerns all schedules. One that was never read hides nothing: the service may not have it.
 *
 * @throws {ProblemError} As {@linkcode requireVisible} does
 */
export async function requireAllVisible(
  visible: VisibleSchedules | null,
  { overview }: Pick<ObserverRecords, "overview">,
): Promise<void> {
  if (visible) requireVisible(visible, await overview.ids("read"));
}

const NOT_ALL = "Your token may not read all schedules that this concerns";

/** Whether the service allows a call; null if the service fails. */
async function isAllowed(call: () => PromiseLike<unknown>): Promise<boolean | null> {
  try {
    await call();
    return true;
  } catch (error) {
    return [401, 403, 404].includes(errorStatus(error) ?? 0) ? false : null;
  }
}

/**
 * The records of these schedules, and those that concern no schedule. People can only change owners,
 * calendars, leavers and decisions if they may see all schedules that the change concerns.
 */
export function recordsOfSchedules(
  records: ObserverRecords,
  visible: VisibleSchedules,
): ObserverRecords {
  const { watches, overview, owners, incidents, deliveries, verdicts, runs, watchEvents, polls } =
    records;
  const { idSearches, recipientDecisions, calendars, leavers } = records;
  const ids = [...visible.ids];
  const sees = (id: number | null) => id === null || visible.ids.has(id);
  const only = (some: readonly number[] | undefined) => some?.filter(sees) ?? ids;
  /** @throws {ProblemError} If one of these schedules is hidden; null means all. */
  async function requireAll(some: readonly number[] | null): Promise<void> {
    const others = (some ?? await overview.ids("read")).filter((id) => !sees(id));
    if (others.length === 0) return;
    requireVisible(visible, others);
    throw new ProblemError(403, NOT_ALL);
  }
  const requireDecided = ({ scheduleId }: Pick<NewDecision, "scheduleId">) =>
    requireAll(scheduleId === null ? null : [scheduleId]);
  async function requireOwned(name: string): Promise<void> {
    await requireAll((await owners.schedules()).get(nameKey(name))?.ids ?? []);
  }
  async function requireCalendar(name: string): Promise<void> {
    const before = (await calendars.list()).find((each) => nameKey(each.name) === nameKey(name));
    await requireAll(before ? before.scheduleIds : []);
  }
  async function* seen<Row extends { readonly scheduleId: number }>(
    rows: AsyncIterable<readonly Row[]>,
  ) {
    for await (const some of rows) yield some.filter(({ scheduleId }) => sees(scheduleId));
  }
  return {
    ...records,
    watches: {
      ...watches,
      list: (some) => watches.list(only(some)),
      get: async (id) => sees(id) ? await watches.get(id) : undefined,
      getKnown: async (id) => sees(id) ? await watches.getKnown(id) : undefined,
      statuses: (max) => watches.statuses(max, ids),
    },
    overview: {
      ...overview,
      known: () => seen(overview.known()),
      days: () => seen(overview.days()),
      plans: () => seen(overview.plans()),
      figures: () => seen(overview.figures()),
      ids: (which) => which === "read" ? overview.ids(which) : Promise.resolve(ids),
      list: (filter) => overview.list({ ...filter, ids: only(filter.ids) }),
      countHeadlines: (among) => overview.countHeadlines(among, ids),
      names: (some) => overview.names(some.filter(sees)),
      facts: (some) => overview.facts(some.filter(sees)),
    },
    incidents: {
      ...incidents,
      list: (filter) => incidents.list({ ...filter, ids }),
      attention: (kind, now, limit) => incidents.attention(kind, now, limit, ids),
      countOpen: () => incidents.countOpen(ids),
      async get(id) {
        const found = await incidents.get(id);
        return found && sees(found.scheduleId) ? found : undefined;
      },
      open: async (id) => sees(id) ? await incidents.open(id) : [],
      ended: async (id, max) => sees(id) ? await incidents.ended(id, max) : [],
      allOpen: async () => (await incidents.allOpen()).filter(({ scheduleId }) => sees(scheduleId)),
    },
    idSearches: {
      ...idSearches,
      countKnown: () => Promise.resolve(ids.length),
      searches: async () =>
        await idSearches.searches((await overview.ids()).every(sees) ? undefined : ids),
      async changes(search) {
        const { found, vanished } = await idSearches.changes(search);
        return { found: found.filter(sees), vanished: vanished.filter(sees) };
      },
    },
    people: records.peopleAmong(ids),
    peopleAmong: (some) => records.peopleAmong(some.filter(sees)),
    recipientDecisions: {
      ...recipientDecisions,
      of: async (...about) =>
        (await recipientDecisions.of(...about)).filter(({ scheduleId }) => sees(scheduleId)),
      add: guarded(recipientDecisions.add, async (all) => {
        await Promise.all(all.map(requireDecided));
      }),
      withdraw: guarded(recipientDecisions.withdraw, requireDecided),
      worklist: (page) => recipientDecisions.worklist(page, ids),
    },
    owners: {
      ...owners,
      schedules: () => owners.schedules(sees),
      save: guarded(owners.save, ({ name }) => requireOwned(name)),
      rename: guarded(owners.rename, async (name, to) => {
        await requireOwned(name);
        await requireOwned(to);
      }),
      remove: guarded(owners.remove, requireOwned),
    },
    calendars: {
      ...calendars,
      list: async () =>
        (await calendars.list()).flatMap((calendar) => {
          const scheduleIds = calendar.scheduleIds?.filter(sees) ?? null;
          return scheduleIds?.length === 0 ? [] : { ...calendar, scheduleIds };
        }),
      save: guarded(calendars.save, async ({ name, scheduleIds }) => {
        await requireCalendar(name);
        await requireAll(scheduleIds);
      }),
      remove: guarded(calendars.remove, requireCalendar),
    },
    leavers: {
      ...leavers,
      add: guarded(leavers.add, () => requireAll(null)),
      clear: guarded(leavers.clear, () => requireAll(null)),
    },
    deliveries: {
      ...deliveries,
      list: (filter) => deliveries.list({ ...filter, ids }),
      health: (incidentIds) => deliveries.health(incidentIds, ids),
      replay: (id, now) => deliveries.replay(id, now, ids),
    },
    verdicts: {
      ...verdicts,
      list: (some) => verdicts.list(only(some)),
      get: async (id) => sees(id) ? await verdicts.get(id) : undefined,
    },
    polls: { ...polls, sinceCheck: (at) => polls.sinceCheck(at, ids) },
    runs: { ...runs, newest: async (id, max) => sees(id) ? await runs.newest(id, max) : [] },
    watchEvents: {
      ...watchEvents,
      latest: async (id, max) => sees(id) ? await watchEvents.latest(id, max) : [],
    },
  };
}

function guarded<Work extends (...args: never[]) => Promise<unknown>>(
  work: Work,
  check: (...args: Parameters<Work>) => Promise<void>,
): Work {
  const checked = async (...args: Parameters<Work>) => {
    await check(...args);
    return await work(...args);
  };
  return checked as Work;
}
