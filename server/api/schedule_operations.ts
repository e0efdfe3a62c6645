/** Watched and known schedules, and scans for them. */
import {
  addScheduleFile,
  addSchedules,
  changeWatch,
  checkNow,
  removeSchedule,
  watchSchedules,
} from "../actions/known_schedules.ts";
import { startScan, stopScan } from "../actions/scans.ts";
import { HEADLINES } from "../../lib/judgement/headline.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import {
  choice,
  either,
  flag,
  integer,
  list,
  moment,
  named,
  nullable,
  optional,
  record,
  type RecordOf,
  text,
  time,
} from "../http/shape.ts";
import { stopWatching } from "../observer/end_watch.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { coverageText, describeScan, secondsLeft } from "../schedules/coverage.ts";
import { DEFAULT_RATE, MAX_RATE } from "../schedules/scan.ts";
import { LIST_COLUMNS, toFileRow } from "../schedules/schedule_file.ts";
import { MAX_SCHEDULES } from "../schedules/schedule_id_list.ts";
import type { CountedScan } from "../store/records/stored_scans.ts";
import type { ScheduleOverview } from "../store/records/overview.ts";
import { listOperation, operation } from "./operation.ts";

const SCHEDULE = { scheduleId: integer({ min: 0 }) };
const COUNT = integer({ min: 0 });
const TIME = nullable(time());

export const SCHEDULE_IDS = either(
  text({ description: "Ids and ranges, such as 101-112, 115", max: 100_000 }),
  list(integer({ min: 0 }), { max: MAX_SCHEDULES }),
  "must be ids and ranges as a text, or a list of ids",
);
const PLAN = {
  zone: optional(text({ description: "With cron alone. Default: UTC" })),
  graceMinutes: optional(integer({ description: "With cron alone. Default: 10" })),
  weeks: optional(integer({ description: "With cron alone: only every so many weeks" })),
  weeksFrom: optional(text({ description: "A day of the first of these weeks" })),
};
const CRON = text({ description: "Five fields; several expressions are separated by semicolons" });
const SETTINGS = { name: optional(text()), owner: optional(text()) };

const WATCH_MEMBERS = {
  ...SCHEDULE,
  name: text(),
  owner: text(),
  plan: nullable(record({
    cron: text(),
    zone: text(),
    graceMinutes: integer(),
    weeks: nullable(integer()),
    weeksFrom: nullable(text()),
    source: choice(["inferred", "confirmed"]),
  })),
  state: nullable(choice(["up", "late", "down", "unknown", "new"])),
  headline: choice(HEADLINES),
  lastSuccess: TIME,
  next: TIME,
  mutedUntil: TIME,
};
const SCAN_MEMBERS = {
  from: COUNT,
  to: COUNT,
  next: COUNT,
  ratePerSecond: integer({ min: 1 }),
  state: choice(["running", "paused", "stopped", "done"]),
  started: time(),
  ended: TIME,
  pausedUntil: TIME,
  stopped: nullable(text()),
  secondsLeft: nullable(COUNT),
  answers: record({
    exists: COUNT,
    neverRan: COUNT,
    none: COUNT,
    refused: COUNT,
    notAnswered: COUNT,
  }),
  sentence: text(),
};
const SCAN = named("Scan", record(SCAN_MEMBERS));
const KNOWN = named(
  "KnownSchedule",
  record({
    ...SCHEDULE,
    name: text(),
    owner: text(),
    watched: flag(),
    cron: nullable(text()),
    zone: nullable(text()),
    grace: nullable(text()),
    weeks: nullable(integer()),
    weeksFrom: nullable(text()),
    source: choice(["hand", "file", "found", "import"]),
    state: choice(HEADLINES),
    lastSuccess: nullable(moment()),
    next: nullable(moment()),
  }),
);

export const SCHEDULE_OPERATIONS = [
  listOperation("/watches", "listWatches", {
    summary: "Watched schedules",
    description: "By id, as they were last judged.",
    item: named("Watch", record(WATCH_MEMBERS)),
    async load({ services: { records } }, page) {
      const { items, total } = await records.overview.list({ ...page, order: "id" });
      return { items: items.map(toWatch), total };
    },
  }),
  operation("POST", "/watches", "watchSchedules", {
    summary: "Watch schedules",
    description: `At most ${MAX_SCHEDULES}, all or none. Those watched already get the settings.`,
    body: record({ scheduleIds: SCHEDULE_IDS, cron: optional(CRON), ...PLAN, ...SETTINGS }),
    answer: record({
      added: COUNT,
      changed: COUNT,
      known: COUNT,
      notWatched: nullable(text({ description: "Why nothing is watched" })),
    }),
    handle: async ({ body, services, acting }) => ({
      ...await watchSchedules(services, body, acting),
      notWatched: whyNotObserved(services),
    }),
  }),
  operation("PATCH", "/watches/:scheduleId", "changeWatch", {
    summary: "Change a watched schedule",
    description: "What is missing stays as it is. mutedUntil null ends the muting, and cron null " +
      "lets Docket infer the plan.",
    params: SCHEDULE,
    body: record({
      mutedUntil: optional(TIME),
      cron: optional(nullable(CRON)),
      ...PLAN,
      ...SETTINGS,
    }),
    handle: ({ params, body, services, acting }) =>
      changeWatch(services, { ...params, ...body }, acting),
  }),
  operation("DELETE", "/watches/:scheduleId", "stopWatching", {
    summary: "Stop watching a schedule",
    description: "Resolves its incidents. It stays known. One that is not watched is no error.",
    params: SCHEDULE,
    handle: ({ params, services, acting }) => stopWatching(services, [params.scheduleId], acting),
  }),
  operation("POST", "/watches/:scheduleId/checks", "checkNow", {
    summary: "Read a schedule now",
    description: "The observer does so within seconds.",
    params: SCHEDULE,
    handle: ({ params, services, acting }) => checkNow(services, [params.scheduleId], acting),
  }),
  listOperation("/schedules", "listSchedules", {
    summary: "Known schedules",
    description: `By id, with the columns of their file: ${LIST_COLUMNS.join(", ")}.`,
    item: KNOWN,
    async load({ services: { records } }, page) {
      const { items, total } = await records.overview.list({
        ...page,
        among: "known",
        order: "id",
      });
      return { items: items.map(toFileRow), total };
    },
  }),
  operation("POST", "/schedules", "addSchedules", {
    summary: "Add schedules to those that Docket knows",
    description: "They are read once a day. With a file, those with watched true are watched.",
    body: record({ scheduleIds: SCHEDULE_IDS }),
    csv: {
      description: "The columns of the known schedules; only scheduleId is required",
      handle: ({ services, acting }, file) => addScheduleFile(services, file, acting),
    },
    answer: record({ added: COUNT, changed: COUNT, known: COUNT }),
    handle: ({ body, services, acting }) => addSchedules(services, body, acting),
  }),
  operation("DELETE", "/schedules/:scheduleId", "removeSchedule", {
    summary: "Remove a known schedule",
    description: "It must not be watched. Its runs stay. One that is not known is no error.",
    params: SCHEDULE,
    handle: ({ params, services }) => removeSchedule(services, params.scheduleId),
  }),
  operation("POST", "/schedules/scans", "startScan", {
    summary: "Ask the service for each id of a range",
    description: "Continues the scan of the same range if it was stopped.",
    body: record({
      from: COUNT,
      to: COUNT,
      ratePerSecond: optional(integer({ min: 1, max: MAX_RATE, default: DEFAULT_RATE })),
    }),
    status: 202,
    answer: SCAN,
    handle: async ({ body, services, acting }) => toScan(await startScan(services, body, acting)),
  }),
  operation("GET", "/schedules/scans", "listScans", {
    summary: "The latest scan of each range",
    description: "Newest first, with its progress and how many ids had each answer; and how " +
      "complete the known schedules are, as a sentence.",
    answer: record({ items: list(SCAN), sentence: text() }),
    handle: async ({ services: { records } }) => ({
      items: (await records.scans.counted()).map((scan) => toScan(scan)),
      sentence: await coverageText(records, "UTC"),
    }),
  }),
  operation("DELETE", "/schedules/scans", "stopScan", {
    summary: "Stop the scan that is running",
    description: "The same range continues it. It is no error if none is running.",
    handle: ({ services }) => stopScan(services),
  }),
];

function toWatch(
  { name, plans, details, planSource, nextDue: next, ...watch }: ScheduleOverview,
): RecordOf<typeof WATCH_MEMBERS> {
  const plan = plans.at(-1) ?? details?.plan ?? null;
  return {
    ...watch,
    name: maskAddresses(name),
    plan: plan && {
      zone: plan.zone,
      cron: plan.cron.join("; "),
      graceMinutes: Math.round(plan.graceMs / 60_000),
      weeks: plan.everyWeeks?.n ?? null,
      weeksFrom: plan.everyWeeks?.from ?? null,
      source: plans.length > 0 ? "confirmed" : planSource ?? "inferred",
    },
    next,
  };
}

function toScan(scan: CountedScan, now = Date.now()): RecordOf<typeof SCAN_MEMBERS> {
  const { rate, ended, stopped, pausedUntil, answers } = scan;
  const isPaused = pausedUntil > now;
  const isOver = ended !== null || stopped !== null;
  return {
    ...scan,
    ratePerSecond: rate,
    state: ended !== null ? "done" : stopped !== null ? "stopped" : isPaused ? "paused" : "running",
    pausedUntil: isPaused ? pausedUntil : null,
    secondsLeft: isOver ? null : secondsLeft(scan),
    answers: {
      exists: answers.exists,
      neverRan: answers["never-ran"],
      none: answers.missing,
      refused: answers.forbidden,
      notAnswered: answers.failed,
    },
    sentence: describeScan(scan, "UTC"),
  };
}
