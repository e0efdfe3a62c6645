/** What people may do with known and watched schedules. */
import { saySameTimes } from "../../lib/judgement/plans/plan.ts";
import { ProblemError, throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { resolveEnded } from "../observer/end_watch.ts";
import { momentText } from "../observer/words.ts";
import { planSummary } from "../schedules/plan_fields.ts";
import { type CsvStream, readScheduleFile } from "../schedules/schedule_file.ts";
import { MAX_SCHEDULES, readScheduleIds } from "../schedules/schedule_id_list.ts";
import { readScheduleSettings, type ScheduleSettings } from "../schedules/schedule_settings.ts";
import { yieldToEventLoop } from "../workers/yield_to_event_loop.ts";
import {
  type Acting,
  type ScheduleEventKind,
  type WatchEvent,
  watchEvent,
} from "../store/records/events.ts";
import type { KnownSchedule, ScheduleChange, WatchSettings } from "../store/records/watches.ts";
import type { ActionServices } from "./action_services.ts";
import { readCsv } from "./csv_file.ts";

type Services = Pick<ActionServices, "records" | "origin">;

interface ListedSchedules extends ScheduleSettings {
  /** Such as `101-112, 115`. */
  readonly scheduleIds: string | readonly number[];
}

/** How many schedules were added, changed, and as they should be already. */
interface SavedCounts {
  readonly added: number;
  readonly changed: number;
  readonly known: number;
}

/**
 * Watches schedules, all at once or none; what is watched already gets the settings.
 *
 *     await watchSchedules(services, { scheduleIds: "1001-1300", cron: "0 6 * * *" }, acting)
 *
 * @throws {ProblemError} With pointers such as `/scheduleIds` and `/cron`
 */
export async function watchSchedules(
  services: Services,
  request: ListedSchedules,
  acting: Acting,
): Promise<SavedCounts> {
  return await saveSchedules(services, readListed(request, 1, acting.now), "hand", acting);
}

/** Lets Docket know schedules, which it then reads once a day; what is known gets the settings. */
export async function addSchedules(
  services: Services,
  request: ListedSchedules,
  acting: Acting,
): Promise<SavedCounts> {
  return await saveSchedules(services, readListed(request, null, acting.now), "hand", acting);
}

/** Adds the schedules of a file. @throws {ProblemError} That names each wrong line */
export async function addScheduleFile(
  services: Services,
  file: CsvStream,
  acting: Acting,
): Promise<SavedCounts> {
  const { schedules } = await readCsv(() => readScheduleFile(file, acting.now));
  if (schedules.length > MAX_SCHEDULES) {
    throw new ProblemError(400, `A file may have at most ${MAX_SCHEDULES} schedules`);
  }
  return await saveSchedules(services, schedules, "file", acting);
}

/**
 * Changes a watched schedule; what is undefined is left as it is. `cron` null lets Docket infer the plan.
 *
 * @throws {ProblemError} With status 404 if it is not watched
 */
export async function changeWatch(
  { records }: Services,
  { scheduleId, mutedUntil, cron, ...more }: Omit<ScheduleSettings, "cron"> & {
    readonly scheduleId: number;
    readonly cron?: string | null | undefined;
    readonly mutedUntil?: number | null | undefined;
  },
  acting: Acting,
): Promise<void> {
  const faults: ValidationIssue[] = [];
  const read = readScheduleSettings({ ...more, cron: cron ?? undefined }, acting.now, faults);
  const until = mutedUntil ?? null;
  if (until !== null && until <= acting.now) {
    faults.push({ pointer: "/mutedUntil", detail: "must be in the future" });
  }
  throwIfInvalid(faults);
  const settings: Partial<WatchSettings> = {
    ...read,
    ...cron === null && { plan: null },
    ...mutedUntil !== undefined && { mutedUntil: until },
  };
  const by = { ...acting, scheduleId };
  const muting = until === null
    ? watchEvent("schedule unmuted", by)
    : watchEvent("schedule muted", by, { note: `until ${momentText(until)}` });
  const events = settingEvents(settings).map(({ kind, note }) => watchEvent(kind, by, { note }));
  const steps = [...events, ...mutedUntil === undefined ? [] : [muting]];
  const change = (watch: KnownSchedule) => watch.watched === 1 ? settings : null;
  if (!await records.watches.change(scheduleId, change, acting.now, steps)) {
    throw new ProblemError(404, `Schedule ${scheduleId} is not watched`);
  }
}

/**
 * Removes a known schedule, but not its runs. One that is not known is no error.
 *
 * @throws {ProblemError} With status 409 if it is watched
 */
export async function removeSchedule(
  { records: { watches } }: Services,
  scheduleId: number,
): Promise<void> {
  await watches.forget([scheduleId]);
  if (!await watches.get(scheduleId)) return;
  throw new ProblemError(409, `Schedule ${scheduleId} is watched: stop watching it first`);
}

/**
 * Polls known schedules, or all that are watched, at once.
 *
 * @throws {ProblemError} With status 404 if none of them is known
 */
export async function checkNow(
  { records: { polls } }: Services,
  scheduleIds: readonly number[] | "watched",
  { now }: Acting,
): Promise<void> {
  const isAnyDue = await polls.makeDue(scheduleIds, now) > 0;
  if (isAnyDue || scheduleIds === "watched") return;
  throw new ProblemError(404, `Docket does not know schedule ${scheduleIds.join(", ")}`);
}

async function saveSchedules(
  services: Services,
  schedules: readonly ScheduleChange[],
  source: KnownSchedule["source"],
  { actor, now }: Acting,
): Promise<SavedCounts> {
  const ids = schedules.map(({ scheduleId }) => scheduleId);
  const said = new Map<ScheduleChange["settings"], ReturnType<typeof settingEvents>>();
  // Those of a list have the same; the many plans of a file take long to be put in words.
  for (const settings of new Set(schedules.map(({ settings }) => settings))) {
    await yieldToEventLoop();
    said.set(settings, settingEvents(settings));
  }
  const { added, changed } = await services.records.alone("runs", async ({ watches }) => {
    const before = await watches.known(ids);
    const changes = schedules.filter((each) => !isUnchanged(before.get(each.scheduleId), each));
    const events = changes.flatMap(({ scheduleId, settings, watched }): readonly WatchEvent[] => {
      const known = before.get(scheduleId);
      const begins = watched === 1 && known?.watched !== 1;
      const ends = watched === 0 && known?.watched === 1;
      const done = [
        ...begins ? [{ kind: "watched" as const, note: null }] : [],
        // Of one that is new, only a plan is worth a line.
        ...said.get(settings)!.filter(({ kind }) => known && !begins || kind !== "watch changed"),
        ...ends ? [{ kind: "no longer watched" as const, note: null }] : [],
      ];
      return done.map((each) => ({ ...each, scheduleId, incidentId: null, at: now, actor }));
    });
    await watches.saveAll(changes, { source, events, now });
    const added = changes.filter(({ scheduleId }) => !before.has(scheduleId)).length;
    return { added, changed: changes.length - added };
  });
  if (schedules.some(({ watched }) => watched === 0)) await resolveEnded(services, ids, now);
  return { added, changed, known: schedules.length - added - changed };
}

/** What is recorded of changed settings. */
function settingEvents(
  { plan, mutedUntil: _, ...others }: Partial<WatchSettings>,
): readonly { readonly kind: ScheduleEventKind; readonly note: string | null }[] {
  const summary = plan ? planSummary({ plan, pauses: [] }) : null;
  return [
    ...plan ? [{ kind: "plan confirmed" as const, note: summary }] : [],
    ...plan === null ? [{ kind: "plan left to Docket" as const, note: null }] : [],
    ...Object.values(others).some((value) => value !== undefined)
      ? [{ kind: "watch changed" as const, note: null }]
      : [],
  ];
}

function isUnchanged(
  before: KnownSchedule | undefined,
  { settings: { plan, ...settings }, watched }: ScheduleChange,
): boolean {
  const last = before?.plans.at(-1);
  return before !== undefined &&
    (watched ?? before.watched) === before.watched &&
    (!plan || last !== undefined && saySameTimes(plan, last) && plan.graceMs === last.graceMs) &&
    Object.entries(settings).every(([name, value]) => before[name as "name"] === value);
}

function readListed(
  { scheduleIds, ...settings }: ListedSchedules,
  watched: 1 | null,
  now: number,
): readonly ScheduleChange[] {
  const faults: ValidationIssue[] = [];
  const { ids, issue } = readScheduleIds(scheduleIds);
  const detail = issue ?? (ids.length === 0 ? "must have at least one id, such as 101" : null);
  if (detail) faults.push({ pointer: "/scheduleIds", detail });
  const read = readScheduleSettings(settings, now, faults);
  throwIfInvalid(faults);
  return ids.map((scheduleId) => ({ scheduleId, settings: read, watched }));
}
