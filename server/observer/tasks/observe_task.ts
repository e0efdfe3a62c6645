/** `deno task observe`: watches schedules without a server. */
import { formatCountOf } from "../../../lib/format.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { openRecords } from "../../backend/embedded.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { shownOrigin } from "../../http/host.ts";
import { createSealing } from "../../auth/sealing.ts";
import { chosenLogFormat, createLog } from "../../log/log.ts";
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
import { checkKeys } from "../records_keys.ts";
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
  const log = createLog({
    level: settings.logLevel,
    format: chosenLogFormat(settings),
    write: context.report,
  });
  const opened = openRecords(settings, log);
  if (!opened) throw new TaskError("Watching needs a database: set DATABASE_URL");
  const { records } = opened;
  const reason = whyNotObserved({ settings, records });
  if (reason !== null) throw new TaskError(reason);
  const { sleep } = systemRuntime();
  const now = () => context.now().getTime();
  const identity = settings.serviceBaseUrl ?? "embedded";
  const judging = createJudging();
  try {
    const claim = () => claimRecords(records, identity);
    await (isOnce ? claim() : whenAvailable(claim, { log, sleep }));
    // Without the setting, that of the server stays.
    if (Object.keys(settings.statuses).length > 0) {
      await records.statuses.useSetting(settings.statuses, now());
    }
    const keys = recordsKeys(settings);
    const sealing = createSealing(keys);
    await checkKeys(records, keys, sealing, log);
    // Links lead to the latest server on these records, if there was any.
    const origin = settings.publicOrigin ?? (await records.service.get()).origin ??
      shownOrigin(settings);
    const service = { ...opened, identity };
    const { observer, onEvent } = observerFor(
      { settings, service, log, now, origin, sealing, judging },
    );
    if (isOnce) return await once(observer, records, context);
    using stop = abortOnStop();
    await observeUntil(observer, { signal: stop.signal, sleep, onEvent });
    return 0;
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    judging.close();
    await opened.close();
  }
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
