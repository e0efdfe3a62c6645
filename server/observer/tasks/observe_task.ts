/** `deno task observe`: watches schedules without serving anything. */
import { formatCountOf } from "../../../lib/format.ts";
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { recordsKeys } from "../../auth/records_key.ts";
import { createSealing } from "../../auth/sealing.ts";
import { createLog, type Log, logFormatOf } from "../../log/log.ts";
import type { ObserverRecords } from "../../store/observer/observer_records.ts";
import {
  type Arguments,
  endOfProgram,
  runAsProgram,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "../../store/tasks/task.ts";
import { createJudging } from "../judging/judging.ts";
import { observe as observeUntil, type Observer } from "../observer.ts";
import { resealSecrets } from "../reseal_secrets.ts";
import { observerFor, whyNotObserved } from "../service_observer.ts";
import type { ObserverSettings } from "../../config/observer_settings.ts";
import { sendHeartbeat } from "../outlets/heartbeat.ts";
import { OutletError, OUTLETS } from "../outlets/outlet.ts";
import { outletsOf } from "../outlets/outlets.ts";
import { newDeliveryId } from "../outbox.ts";
import { testEvent } from "../event.ts";
import { withRecords } from "./task_records.ts";

const HELP = `Watches schedules without serving anything: deno task watch says which.

deno task observe
deno task observe --once [--json]
deno task observe --test OUTLET [--json]     (webhook, alertmanager, mail or heartbeat)

--once   polls what is due, sends what is waiting, and exits
--test   sends a test to that outlet
--json   prints what was done as JSON

Exit code 0: nothing is down, or the test was sent; 1: a schedule is down, or can't be read, or a
delivery is waiting, or the test could not be sent; 2: something in the arguments or settings is
wrong.`;

/** The most rounds of sending at the end: each one tries every message that is due. */
const MOST_ROUNDS = 100;

/** Longer than outlets collect messages, and shorter than the first wait after a failure. */
const EARLY_MS = 6000;

/** What `--test` takes. */
const TESTED = [...OUTLETS, "heartbeat"];
const URL_OF: Readonly<Record<string, string>> = {
  webhook: "WEBHOOK_URL",
  alertmanager: "ALERTMANAGER_URL",
  mail: "SMTP_URL",
  heartbeat: "HEARTBEAT_URL",
};

/** Observes until the program is stopped. */
export const observe: Task = { help: HELP, options: ["test"], flags: ["once", "json"], run };

async function run({ flags, options }: Arguments, context: TaskContext): Promise<number> {
  const tested = options.test;
  if (tested !== undefined && flags.once) {
    throw new TaskError("Use either --once or --test; see --help");
  }
  if (flags.json && tested === undefined && !flags.once) {
    throw new TaskError("--json needs --once or --test; see --help");
  }
  if (tested !== undefined && !TESTED.includes(tested)) {
    throw new TaskError(`--test must be one of ${TESTED.join(", ")}, not "${tested}"`);
  }
  const settings = settingsFor(context);
  const { logLevel: level } = settings;
  const log: Log = createLog({ level, format: logFormatOf(settings), write: context.report });
  return await withRecords(
    context,
    async (service) => {
      const { records } = service;
      const reason = whyNotObserved(service);
      if (reason !== null) throw new TaskError(reason);
      const program = {
        settings,
        service,
        log,
        now: () => context.now().getTime(),
        origin: service.origin,
      };
      if (tested !== undefined) {
        const send = testOf(tested, settings.observer, program);
        if (!send) {
          throw new TaskError(
            `The outlet ${tested} is not configured: set ${
              URL_OF[tested]
            }, as docs/observer.md says`,
          );
        }
        try {
          const unreached = await send();
          if (unreached) throw new OutletError(unreached);
        } catch (error) {
          if (!(error instanceof OutletError)) throw error;
          context.report(`The test of ${tested} failed: ${error.message}`);
          return 1;
        }
        context.print(flags.json ? JSON.stringify({ tested }) : `Sent a test to ${tested}`);
        return 0;
      }
      const sealing = createSealing(recordsKeys(settings));
      await resealSecrets(records, sealing, log);
      const judging = createJudging();
      try {
        if (!flags.once) {
          using ending = endOfProgram();
          const { observer, onEvent } = observerFor({ ...program, sealing, judging });
          await observeUntil(observer, {
            signal: ending.signal,
            sleep: systemRuntime().sleep,
            onEvent,
          });
          return 0;
        }
        // Nobody sends later what is collected; what failed is retried after longer.
        const { observer } = observerFor({ ...program, sealing, judging }, EARLY_MS);
        return await once(observer, records, { ...context, isJson: flags.json });
      } finally {
        judging.close();
      }
    },
    log,
    tested === undefined && !flags.once,
  );
}

/** Sends a test; null if the outlet is not configured. */
function testOf(
  name: string,
  settings: ObserverSettings,
  { now, origin }: { readonly now: () => number; readonly origin: string },
): (() => Promise<string | void>) | null {
  if (name === "heartbeat") {
    const { heartbeatUrl } = settings;
    return heartbeatUrl === null ? null : () => sendHeartbeat(heartbeatUrl);
  }
  const outlet = outletsOf(settings).find((each) => each.name === name);
  if (!outlet) return null;
  const message = { id: newDeliveryId(), event: testEvent(now(), origin) };
  return () => outlet.send([message], now());
}

async function once(
  observer: Observer,
  records: ObserverRecords,
  { isJson, print }: Pick<TaskContext, "print"> & { readonly isJson: boolean },
): Promise<number> {
  const polls = await observer.pollDue();
  let sent = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const tried = await observer.sendDue();
    if (tried === 0) break;
    sent += tried;
  }
  await observer.doDuties();
  const down: number[] = [];
  const unreadable: number[] = [];
  for await (const page of records.overview.figures()) {
    for (const { scheduleId, state, failures } of page) {
      if (state === "down") down.push(scheduleId);
      if (failures > 0) unreadable.push(scheduleId);
    }
  }
  const [open, waiting] = await Promise.all([
    records.incidents.countOpen(),
    records.deliveries.waiting(),
  ]);
  const incidents = open.critical + open.warning + open.info;
  const done = { polls, sent, down, unreadable, incidents, waiting };
  print(
    isJson ? JSON.stringify(done) : `${formatCountOf(polls, "poll", "polls")}, ` +
      `${formatCountOf(sent, "delivery", "deliveries")} tried, ${waiting} waiting; ` +
      `${formatCountOf(incidents, "incident is", "incidents are")} open; ` +
      `down: ${down.join(", ") || "none"}; unreadable: ${unreadable.join(", ") || "none"}`,
  );
  return down.length + unreadable.length + waiting > 0 ? 1 : 0;
}

if (import.meta.main) await runAsProgram(observe);
