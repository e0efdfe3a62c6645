import type { Backend } from "../client/backend.ts";
import type { Client } from "../client/client.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../runs/load_runs.ts";
import { FIRST_RUNS } from "../runs/outsiders.ts";
import { defaultStatusDictionary } from "../runs/status.ts";
import { timeOf } from "../runs/times.ts";
import { type JudgeOptions, judgeSchedule, type Verdict } from "./judge_schedule.ts";
import { YOUNG_MS } from "./slots.ts";

/**
 * Loads the runs of a schedule and judges it.
 *
 * @param client The client of the service.
 * @param scheduleId The schedule's id.
 * @param options Those of `judgeSchedule`, where `now` is this machine's time by default and
 * `statuses` the default dictionary; `runs`, the most runs to load (1,000 by default); `serviceZone`,
 * the IANA name of the zone of times that name none (UTC by default); and `signal`, which aborts.
 * @returns The verdict, with the number of loaded runs, and whether there may be others.
 * @throws {DocketError} If the service fails before enough runs are loaded.
 * @throws {TypeError | RangeError} If the plan or a zone is not valid.
 *
 * @example
 * ```ts
 * import { createClient, headline, judge, reasonText } from "@docket/docket";
 * import { createTestService, makeRuns } from "@docket/docket/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const service = createTestService({ runs: { 101: makeRuns(120) } });
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   fetch: service.fetch,
 * });
 *
 * // After the last of these runs, which failed.
 * const verdict = await judge(client, 101, { now: Date.UTC(2025, 4, 1, 7) });
 * assertEquals(headline(verdict), "failing");
 * assertEquals(reasonText(verdict.reasons[0]), "failing for 1 run");
 * assertEquals(verdict.seen, { runs: 120, olderUnread: false, newerUnread: false });
 * ```
 */
export async function judge(
  client: Client,
  scheduleId: number,
  {
    runs = LOAD.runs,
    serviceZone,
    signal,
    now = Date.now(),
    statuses = defaultStatusDictionary(),
    ...options
  }: Partial<JudgeOptions> & {
    readonly runs?: number;
    readonly serviceZone?: string;
    readonly signal?: AbortSignal;
  } = {},
): Promise<
  Verdict & {
    readonly seen: {
      readonly runs: number;
      readonly olderUnread: boolean;
      readonly newerUnread: boolean;
    };
  }
> {
  const loaded = await loadRuns(client, scheduleId, {
    runs,
    // The client has a deadline of its own for each request.
    ms: Infinity,
    ...(serviceZone && { zone: serviceZone }),
    ...(signal && { signal }),
  });
  // A verdict on some of the runs could miss what is wrong.
  if (loaded.stopped === "error") throw loaded.error;
  const before = await loadBefore(client, scheduleId, loaded, signal);
  const verdict = judgeSchedule(loaded, { now, statuses, ...before, ...options });
  const { olderUnread, newerUnread } = loaded;
  return { ...verdict, seen: { runs: loaded.runs.length, olderUnread, newerUnread } };
}

/**
 * When an earlier run started, if the loaded ones are of too few days to show whether the schedule is
 * young: of a run every five minutes, the newest 1,000 are of four days. Where loading failed or took
 * too long, it asks no further.
 */
export async function loadBefore(
  { reportSchedules }: Backend,
  scheduleId: number,
  { runs, olderUnread, stopped }: LoadedRuns,
  signal?: AbortSignal,
): Promise<Pick<JudgeOptions, "before">> {
  const times = runs.flatMap(({ startTime }) => timeOf(startTime) ?? []);
  const spanMs = times[0] - times[times.length - 1];
  const isYoung = spanMs > 0 && spanMs < YOUNG_MS;
  if (!olderUnread || stopped !== "enough" || !isYoung) return {};
  const skip = Math.ceil(runs.length * YOUNG_MS / spanMs);
  const options = { limit: 1, skip, ...(signal && { signal }) };
  const [earlier] = await reportSchedules.history(scheduleId, options);
  const firstStart = timeOf(earlier?.startTime);
  if (firstStart === undefined) return {};
  // Whoever the oldest loaded runs list is not new.
  const recipients = runs.filter((run) => run.recipients).slice(-FIRST_RUNS)
    .flatMap((run) => run.recipients ?? []).map((recipient) => ({ recipient, first: firstStart }));
  return { before: { firstStart, recipients } };
}
