/** `deno task observe`: watches schedules without a server. */
import { formatCountOf } from "../../../lib/format.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { openRecords } from "../../backend/embedded.ts";
import type { Service } from "../../backend/service.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import type { Settings } from "../../config/settings.ts";
import { shownOrigin } from "../../http/host.ts";
import { ProblemError } from "../../http/problem.ts";
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
import { OutletError, sendHeartbeat } from "../outlets/outlet.ts";
import { createOutlets, SETTING_OF } from "../outlets/outlets.ts";
import { newMessageId } from "../outbox.ts";
import { testEvent } from "../event.ts";

const HELP = `Watches the schedules that docket watch list lists, without a server.

deno task observe
deno task observe --once [--json]
deno task observe --test OUTLET [--json]     (webhook, alertmanager, mail or heartbeat)

--once   polls schedules that are due, sends waiting messages, and exits
--test   sends a test to this outlet
--json   prints the result as JSON

Exit code 0: nothing is down, or the test was sent; 1: a schedule is down or can't be read, a
delivery is waiting, or the test could not be sent; 2: an argument or a setting is wrong.`;

/** The most rounds of sending at the end; each tries every due message. */
const MAX_ROUNDS = 100;
const TESTED = Object.keys(SETTING_OF);

export const observe: Task = { help: HELP, options: ["test"], flags: ["once", "json"], run };

async function run({ flags, options: { test } }: Arguments, context: TaskContext): Promise<number> {
  if (test !== undefined && flags.once) {
    throw new TaskError("Use either --once or --test; see --help");
  }
  if (flags.json && test === undefined && !flags.once) {
    throw new TaskError("--json needs --once or --test; see --help");
  }
  if (test !== undefined && !TESTED.includes(test)) {
    throw new TaskError(`--test must be one of ${TESTED.join(", ")}, not "${test}"`);
  }
  const settings = settingsFor(context);
  const log: Log = createLog({
    level: settings.logLevel,
    format: chosenLogFormat(settings),
    write: context.report,
  });
  const isContinuous = test === undefined && !flags.once;
  return await withRecords(context, async (service) => {
    const reason = whyNotObserved(service);
    if (reason !== null) throw new TaskError(reason);
    const now = () => context.now().getTime();
    if (test !== undefined) {
      await sendTestBy(test, service, now());
      context.print(flags.json ? JSON.stringify({ tested: test }) : `Sent a test to ${test}`);
      return 0;
    }
    const sealing = createSealing(recordsKeys(settings));
    await resealSecrets(service.records, sealing, log);
    const judging = createJudging();
    try {
      const program = { settings, service, log, now, origin: service.origin, sealing, judging };
      const { observer, onEvent } = observerFor(program);
      if (!isContinuous) {
        return await once(observer, service.records, { ...context, isJson: flags.json === true });
      }
      using stop = abortOnStop();
      const { sleep } = systemRuntime();
      await observeUntil(observer, { signal: stop.signal, sleep, onEvent });
      return 0;
    } finally {
      judging.close();
    }
  }, { settings, log, waits: isContinuous });
}

async function sendTestBy(
  name: string,
  { settings: { observer: settings }, origin }: TaskService,
  now: number,
): Promise<void> {
  const { heartbeatUrl } = settings;
  const outlet = createOutlets(settings).find((each) => each.name === name);
  if (name === "heartbeat" ? heartbeatUrl === null : !outlet) {
    throw new TaskError(
      `The channel ${name} is not set up: set ${SETTING_OF[name]}, as docs/observer.md says`,
    );
  }
  try {
    const unreached = outlet
      ? await outlet.send([{ id: newMessageId(), event: testEvent(now, origin) }], now)
      : await sendHeartbeat(heartbeatUrl!);
    if (unreached) throw new OutletError(unreached);
  } catch (error) {
    if (!(error instanceof OutletError)) throw error;
    throw new ProblemError(409, `The test of ${name} failed: ${error.message}`);
  }
}

async function once(
  observer: Observer,
  records: ObserverRecords,
  { isJson, print }: Pick<TaskContext, "print"> & { readonly isJson: boolean },
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
  const done = { polls, sent, down, unreadable, incidents, waiting };
  print(
    isJson ? JSON.stringify(done) : `${formatCountOf(polls, "poll", "polls")}, ` +
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
