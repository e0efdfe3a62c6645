/** `deno task observe`: watches schedules without a server. */
import { formatCountOf } from "../../../lib/format.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { openRecords } from "../../backend/embedded.ts";
import type { Service } from "../../backend/service.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import type { Settings } from "../../config/settings.ts";
import { shownOrigin } from "../../http/host.ts";
import { createSealing } from "../../auth/sealing.ts";
import { chosenLogFormat, createLog, type Log } from "../../log/log.ts";
import type { ObserverRecords } from "../../store/records/observer_records.ts";
import {
  abortOnStop,
  type Arguments,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "../../store/tasks/task.ts";
import { createJudging } from "../judging/judging.ts";
import { type Observer, observeUntil } from "../observer.ts";
import { resealSecrets } from "../reseal_secrets.ts";
import {
  claimRecords,
  observerFor,
  OtherServiceError,
  whenAvailable,
  whyNotObserved,
} from "../service_observer.ts";

const HELP = `Watches the schedules that docket watch list lists, without a server.

deno task observe
deno task observe --once

--once   polls schedules that are due, sends waiting messages, and exits

Exit code 0: nothing is down; 1: a schedule is down or can't be read, or a delivery is waiting; 2: an
argument or a setting is wrong.`;

/** The most rounds of sending at the end; each tries every due message. */
const MAX_ROUNDS = 100;

export const observe: Task = { help: HELP, flags: ["once"], run };

async function run({ flags: { once: isOnce } }: Arguments, context: TaskContext): Promise<number> {
  const settings = settingsFor(context);
  const log: Log = createLog({
    level: settings.logLevel,
    format: chosenLogFormat(settings),
    write: context.report,
  });
  return await withRecords(context, async (service) => {
    const reason = whyNotObserved(service);
    if (reason !== null) throw new TaskError(reason);
    const now = () => context.now().getTime();
    const sealing = createSealing(recordsKeys(settings));
    await resealSecrets(service.records, sealing, log);
    const judging = createJudging();
    try {
      const program = { settings, service, log, now, origin: service.origin, sealing, judging };
      const { observer, onEvent } = observerFor(program);
      if (isOnce) return await once(observer, service.records, context);
      using stop = abortOnStop();
      const { sleep } = systemRuntime();
      await observeUntil(observer, { signal: stop.signal, sleep, onEvent });
      return 0;
    } finally {
      judging.close();
    }
  }, { settings, log, waits: !isOnce });
}

async function once(
  observer: Observer,
  records: ObserverRecords,
  { print }: TaskContext,
): Promise<number> {
  const polls = await observer.pollDue();
  let sent = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tried = await observer.sendDue();
    if (tried === 0) break;
    sent += tried;
  }
  await observer.doDuties();
  const figures = await records.overview.figures();
  const toIds = (some: typeof figures) => some.map(({ scheduleId }) => scheduleId);
  const down = toIds(figures.filter(({ state }) => state === "down"));
  const unreadable = toIds(figures.filter(({ failures }) => failures > 0));
  const { total: waiting } = await records.messages.list({ state: "waiting", limit: 0 });
  const incidents = (await records.incidents.allOpen()).length;
  print(
    `${formatCountOf(polls, "poll", "polls")}, ` +
      `${formatCountOf(sent, "delivery", "deliveries")} tried, ${waiting} waiting; ` +
      `${formatCountOf(incidents, "incident is", "incidents are")} open; ` +
      `down: ${down.join(", ") || "none"}; unreadable: ${unreadable.join(", ") || "none"}`,
  );
  return down.length + unreadable.length + waiting > 0 ? 1 : 0;
}

interface TaskService extends Pick<Service, "identity" | "store"> {
  readonly records: ObserverRecords;
  readonly settings: Settings;
  /** The origin for links: that of the latest server on these records, if any. */
  readonly origin: string;
}

/** Calls `work` with the records; if `waits`, once the database can be used. */
async function withRecords<T>(
  context: TaskContext,
  work: (service: TaskService) => Promise<T>,
  { settings, log, waits }: {
    readonly settings: Settings;
    readonly log: Log;
    readonly waits: boolean;
  },
): Promise<T> {
  const { serviceBaseUrl } = settings;
  const opened = openRecords(settings, log);
  if (!opened) throw new TaskError("Watching needs a database: set DATABASE_URL");
  const { records, store } = opened;
  const identity = serviceBaseUrl ?? "embedded";
  try {
    const { sleep } = systemRuntime();
    const claim = () => claimRecords(records, identity);
    await (waits ? whenAvailable(claim, { log, sleep }) : claim());
    // Without the setting, that of the server stays.
    if (Object.keys(settings.statuses).length > 0) {
      await records.statuses.useSetting(settings.statuses, context.now().getTime());
    }
    return await work({
      identity,
      store,
      records,
      settings,
      origin: settings.publicOrigin ?? (await records.service.get()).origin ??
        shownOrigin(settings),
    });
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    await opened.close();
  }
}
