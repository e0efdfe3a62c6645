/**
 * A service, a clock and an observer that watches: time jumps from one thing that is due to the next.
 * Schedules are due each hour, unless a test says otherwise.
 */
import { sql } from "../../../server/store/database/sql.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { Backend } from "../../../lib/client/backend.ts";
import { newestFirst, timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { actOnIncident, type IncidentAction } from "../../../server/actions/act_on_incident.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { createSealing } from "../../../server/auth/sealing.ts";
import { createChannels } from "../../../server/observer/outlets/outlets.ts";
import type { JudgingError } from "../../../server/observer/judging/judging.ts";
import {
  answerTo,
  type JudgedRuns,
  type JudgeQuestion,
} from "../../../server/observer/judging/judging_questions.ts";
import type { ServiceAccess } from "../../../server/observer/service_access.ts";
import { createObserver } from "../../../server/observer/observer.ts";
import type { Message, Outlet } from "../../../server/observer/outlets/outlet.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../server/store/store.ts";
import { ADA } from "../../actors.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

/** When a world begins: at midnight in UTC, when a run of each schedule is due. */
export const START = Date.UTC(2026, 2, 10);
/** How late a run may start without being overdue. */
export const GRACE = 5 * MINUTE;

/** The plan of every schedule here. It is not older than it must be: each planned run is judged. */
export const HOURLY = {
  ...{ cron: ["0 * * * *"], zone: "UTC" },
  ...{ graceMs: GRACE, since: START - 200 * DAY },
};

/** How each Slack URL here begins; the rest is the name of its channel. */
export const SLACK = "https://hooks.slack.com/services/";
export const HOOK = "http://hooks.example.com/x";
/** What is entered for a webhook: its URL and its secret. */
export const WEBHOOK = `${HOOK} whsec_${btoa("k".repeat(32))}`;

type OfIncident = { readonly of?: number | null; readonly until?: number };
type OwnerFields = Partial<Parameters<typeof saveOwner>[1]>;

/** The service, and what it does wrong; an observer that watches it; and a clock. */
export type World = ReturnType<typeof createWorld>;

interface WorldOptions {
  /** The confirmed plan of a schedule; null for none. */
  readonly plans?: (scheduleId: number) => Plan | null;
  /** The zone of times without one. */
  readonly zone?: string;
  /** Whether the service is the one in the same database. */
  readonly isEmbedded?: boolean;
  readonly retainRunsMs?: number | null;
  /** Outlets in place of one that takes everything. */
  readonly outlets?: readonly Outlet[];
  readonly heartbeatUrl?: string;
}

/** Runs a test with a world, in which these schedules are watched. */
export function withWorld(
  scheduleIds: readonly number[],
  test: (world: World) => Promise<void>,
  { plans = () => HOURLY, ...options }: WorldOptions = {},
): Promise<void> {
  return withSqlite(async (database) => {
    const world = createWorld(scheduleIds, database, options);
    for (const id of scheduleIds) {
      await world.records.watches.add([id], START, { plan: plans(id) });
    }
    await test(world);
  });
}

function createWorld(
  scheduleIds: readonly number[],
  database: Database,
  { zone = "UTC", isEmbedded = false, retainRunsMs = null, ...options }: WorldOptions,
) {
  const records = observerRecordsOn(database);
  const origin = "https://docket.example.com";
  let now = START;
  const requests: { readonly at: number; readonly scheduleId: number }[] = [];
  const sent: { readonly at: number; readonly message: Message }[] = [];
  const histories = new Map<number, ReportRun[]>(scheduleIds.map((id) => [id, []]));
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history(scheduleId, { limit = 100, skip = 0 } = {}) {
        requests.push({ at: now, scheduleId });
        const fault = world.fault?.(scheduleId);
        if (fault) return Promise.reject(fault);
        if (world.answer) return world.answer(scheduleId);
        // A run is listed when it has ended, or while it goes on.
        const present = newestFirst(histories.get(scheduleId) ?? [])
          .filter(({ endTime }) => !(timeOf(endTime)! > now));
        return Promise.resolve(present.slice(skip, skip + limit));
      },
    },
  };
  const access: ServiceAccess = {
    backend: isEmbedded ? storeOn(database) : backend,
    pausedUntil: () => world.pausedUntil,
    clock: isEmbedded
      ? null
      : { offset: () => world.clockOffset, latest: () => [], startWith: () => {} },
  };
  const outlet = outletOf("webhook", (messages) => {
    sent.push(...messages.map((message) => ({ at: now, message })));
    return Promise.resolve();
  });
  const slack: Readonly<Record<"url" | "text" | "all", string>>[] = [];
  const answers = new Map<string, number>();
  const sealing = createSealing(["k".repeat(32)]);
  const settings = { observer: { mailServer: null, webhookHosts: ["hooks.example.com"] } };
  const send = (url: string, init: RequestInit) => {
    const status = answers.get(url) ?? 200;
    const all = String(init.body);
    if (status === 200) slack.push({ url, text: JSON.parse(all).text, all });
    return Promise.resolve(new Response("ok", { status }));
  };
  const services = { records, origin, sealing, settings, send };
  const ours = options.outlets ?? [outlet];
  /** Whether messages by it are sent here: other outlets than channels may be another process's. */
  const isOurs = (name: string) =>
    ours.some((each) => each.name === name) || /-[0-9a-f]{12}$/.test(name);
  const observer = createObserver({
    records,
    access,
    judge: (question) =>
      world.judgingFault ? Promise.reject(world.judgingFault) : Promise.resolve(judged(question)),
    outlets: ours,
    channels: createChannels({ records, sealing, settings: settings.observer, send }),
    now: () => now,
    ...{ zone, origin, retainRunsMs, everyMs: MINUTE, homeDomains: [] },
    heartbeatUrl: options.heartbeatUrl ?? null,
    onEvent: (level, message, reason) =>
      void world.logged.push(`${level} ${message}${reason ? `: ${reason}` : ""}`),
  });
  const world = {
    records,
    database,
    observer,
    /** What acts on its incidents and owners. */
    services,
    /** What the channels of owners were sent. */
    slack,
    /** The status with which a channel's URL answers, other than 200. */
    answers,
    histories,
    /** Every request: when, and for which schedule. */
    requests,
    /** Every message that was delivered, and when. */
    sent,
    /** What was logged. */
    logged: [] as string[],
    now: () => now,
    /** What the service throws, for all or by schedule. */
    fault: null as ((scheduleId: number) => unknown) | null,
    /** What the service answers in place of the histories, or null. */
    answer: null as ((scheduleId: number) => Promise<readonly ReportRun[]>) | null,
    /** What judging fails with, or null. */
    judgingFault: null as JudgingError | null,
    /** Until when the service asks for a pause. */
    pausedUntil: 0,
    /** How far the service's clock is ahead. */
    clockOffset: 0,
    /** Adds the run of an hour. */
    run(scheduleId: number, start: number, more: Partial<ReportRun> = {}): void {
      const id = Math.floor(start / 1000);
      const endTime = new Date(start + MINUTE).toISOString();
      const startTime = new Date(start).toISOString();
      histories.get(scheduleId)!.push({ id, startTime, endTime, status: "success", ...more });
    },
    /** Lets time pass, and the observer do what becomes due; gives what was sent meanwhile. */
    async until(moment: number): Promise<string[]> {
      const before = sent.length;
      for (;;) {
        await observer.pollDue();
        await observer.doDuties();
        await observer.sendDue();
        const [{ poll }] = await database.read<{ poll: number | null }>(
          sql`SELECT min(due) AS poll FROM known_schedules`,
        );
        const waiting = await records.messages.list({ state: "waiting", limit: 1000 });
        const dues = waiting.items.filter(({ isInTurn, outlet }) => isInTurn && isOurs(outlet))
          .map(({ due }) => due ?? Infinity);
        const next = Math.min(poll ?? Infinity, ...dues);
        if (next > moment) break;
        now = Math.max(next, now + 1, world.pausedUntil);
      }
      now = Math.max(now, moment);
      return world.notified().slice(before);
    },
    /** Moves the clock alone, as when no observer runs. */
    sleepUntil: (moment: number) => void (now = moment),
    /** Polls schedules at a moment, by default all and now, whether they are due or not. */
    async poll(at = now, ids: number | readonly number[] = scheduleIds): Promise<number> {
      now = at;
      await records.polls.makeDue(ids, at);
      return await observer.pollDue();
    },
    /** Lets somebody do something with the latest incident of a schedule, or for null of the service. */
    async act(kind: IncidentAction["kind"], { of: scheduleId = 1, until }: OfIncident = {}) {
      const { items } = await records.incidents.list({ limit: 999 });
      const { id: incidentId } = items.find((each) => each.scheduleId === scheduleId)!;
      await actOnIncident(services, { incidentId, kind, until }, { actor: ADA, now });
    },
    /** Adds or changes an owner, by default with a Slack channel whose URL ends with its name. */
    async own(name: string, ids: readonly number[] = [], more: OwnerFields = {}): Promise<void> {
      const channels = { slack: SLACK + encodeURIComponent(name) };
      await saveOwner(services, { name, channels, ...more }, { actor: ADA, now });
      for (const id of ids) await records.watches.change(id, { owner: name }, now);
    },
    /** Lets the service answer with this status, of these schedules or of all. */
    refuse(status: number, ids: readonly number[] = scheduleIds): void {
      const fault = new HttpStatusError(status, "secret words", {});
      world.fault = (id) => ids.includes(id) ? fault : null;
    },
    /** The types and codes of what was delivered. */
    notified: () =>
      sent.map(({ message: { event: { type, data } } }) =>
        `${type.replace("incident.", "")} ${data.incident.code} ${data.schedule?.id ?? "service"}`
      ),
  };
  return world;
}

/** What a worker answers, asked in this thread. */
export function judged(question: JudgeQuestion): JudgedRuns {
  return (answerTo({ name: "judge", args: [question] }) as { result: JudgedRuns }).result;
}

/** An outlet that sends so, each message alone. */
export function outletOf(name: string, send: Outlet["send"] = () => Promise.resolve()): Outlet {
  return { name, groupOf: () => crypto.randomUUID(), send };
}

/** Lets a schedule run well each hour for a while. */
export function runWell({ run }: World, id: number, from: number, hours: number, more = {}): void {
  for (let hour = 0; hour < hours; hour++) run(id, from + hour * HOUR, more);
}

/** The codes of what is open about a schedule, or about the service. */
export async function openCodes({ records }: World, scheduleId: number | null = 1) {
  return (await records.incidents.open(scheduleId)).map(({ code }) => code).sort();
}

/** Lets schedules run well for five hours and then fail, and polls that. */
export async function failOnce(world: World, scheduleIds: readonly number[]): Promise<void> {
  for (const id of scheduleIds) {
    runWell(world, id, START - 5 * HOUR, 5);
    world.run(id, START, { status: "failure" });
  }
  await world.until(START + 2 * MINUTE);
}

/** Lets time pass as a running observer does, which shares what it has in between. */
export async function watchUntil(world: World, moment: number): Promise<void> {
  while (world.now() < moment) {
    await world.until(Math.min(moment, world.now() + MINUTE));
    await world.observer.share();
  }
}

/**
 * Does the duties of some minutes, in which nothing is polled; gives what is open about the service
 * then, but that polls are late.
 */
export async function onlyDuties(world: World, minutes: number): Promise<string[]> {
  for (let minute = 0; minute < minutes; minute++) {
    world.sleepUntil(world.now() + MINUTE);
    await world.observer.doDuties();
  }
  return (await openCodes(world, null)).filter((code) => code !== "behind");
}
