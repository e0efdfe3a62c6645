/** `deno task watch`: adds, lists, mutes and removes the schedules that Docket watches. */
import { formatDuration } from "../../../lib/format.ts";
import { type Plan, planSlots, shortestGrace } from "../../../lib/judgement/plans/plan.ts";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import { COMING_MS, COMPARED_RUNS, misfitWarning } from "../../schedules/plan_fit.ts";
import { planSummary } from "../../schedules/saved_plan.ts";
import { type StoredWatch, watchName } from "../../store/records/watches.ts";
import { type WatchAction, watchEvent } from "../../store/records/events.ts";
import { runAsProgram } from "../../store/tasks/task.ts";
import { whyNotObserved } from "../service_observer.ts";
import { endWatch } from "../end_watch.ts";
import { isoOrNull } from "../event.ts";
import { momentText } from "../words.ts";
import { readName, readPlan, readSchedules, readUntil } from "./arguments.ts";
import { newestRuns, printList, refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP = `Adds, lists, polls, mutes and removes the schedules that Docket watches.

deno task watch add IDS [--name NAME] [--owner WHO] [--cron CRON --zone ZONE --grace TIME]
                        [--by WHO] [--json]
deno task watch list [--json]
deno task watch poll IDS [--json]
deno task watch mute IDS --until TIME [--by WHO] [--json]
deno task watch remove IDS [--by WHO] [--json]

IDS         ids and ranges, such as 101-112,120: at most 50 at once
--name      a name for the schedule
--owner     the person or team that looks after it: incidents go to this owner's channels
--cron      when its runs are due, as a cron expression of five fields, such as "0 6 * * 1-5";
            several are separated by semicolons. It applies to the latest run that is due by now,
            and to later ones
--zone      the zone of the cron expression, such as Europe/Berlin. Default: UTC
--grace     how late a run may start, such as 20m. Default: 10m
--until     a date-time with a zone, a duration such as 2h, or "off"
--by        your name, for the timelines of the schedule's plan and incidents
--json      prints JSON, a line for each schedule that an action names

Without --name, the name is the report's title. remove also resolves the incidents of the schedule.
poll makes a running Docket read the schedule within seconds; otherwise, the next deno task observe
--once reads it. add warns if the newest runs don't fit the plan, if a grace ends after the next run
is due, and if the embedded service has no such schedule; it does not check an upstream service. If
a schedule is already watched, add changes its settings.

Exit code 0: done; 1: the schedule is not watched, or the database can't be used; 2: an argument or
a setting is wrong.`;

export const watch = taskOf(HELP, ["json"], {
  add: {
    options: ["name", "owner", "cron", "zone", "grace", "by"],
    run: (command) => forEachSchedule(command, add),
  },
  list: { rest: 0, run: list },
  poll: { run: (command) => forEachSchedule(command, poll) },
  mute: { options: ["until", "by"], run: (command) => forEachSchedule(command, mute) },
  remove: { options: ["by"], run: (command) => forEachSchedule(command, remove) },
});

type ScheduleCommand = TaskCommand & WatchAction;

async function forEachSchedule(
  command: TaskCommand,
  act: (command: ScheduleCommand) => Promise<void>,
): Promise<void> {
  for (const scheduleId of readSchedules(command.id)) await act({ ...command, scheduleId });
}

async function add(command: ScheduleCommand): Promise<void> {
  const { scheduleId, options: { name, owner, ...options }, now, records } = command;
  const plan = readPlan(options, now);
  const settings = {
    ...name !== undefined && { name: readName("name", name) },
    ...owner !== undefined && { note: readName("owner", owner) },
    ...plan && { plan },
  };
  const confirmed = plan
    ? [watchEvent("plan confirmed", command, { note: planSummary({ plan, pauses: [] }) })]
    : [];
  const watched = [watchEvent("watched", command), ...confirmed];
  const isNew = (await records.watches.add([scheduleId], now, settings, () => watched)).length > 0;
  const changed = plan ? confirmed : [watchEvent("watch changed", command)];
  if (!isNew) await records.watches.change(scheduleId, settings, now, changed);
  await printWatch(command, `${isNew ? "Added" : "Changed"} schedule ${scheduleId}`);
  for (const line of await watchWarnings(command, plan)) command.report(line);
}

async function poll(command: ScheduleCommand): Promise<void> {
  const { scheduleId, now, records } = command;
  await records.polls.makeDue(scheduleId, now);
  await printWatch(command, `Schedule ${scheduleId} is polled next`);
}

async function mute(command: ScheduleCommand): Promise<void> {
  const { scheduleId, options, now, records } = command;
  const mutedUntil = readUntil(options.until, now);
  if (!await records.watches.get(scheduleId)) refuseUnwatched(command);
  const note = `until ${momentText(mutedUntil)}`;
  const done = mutedUntil === null
    ? watchEvent("schedule unmuted", command)
    : watchEvent("schedule muted", command, { note });
  await records.watches.change(scheduleId, { mutedUntil }, now, [done]);
  const words = mutedUntil === null ? "not muted" : `muted ${note}`;
  await printWatch(command, `Schedule ${scheduleId} is ${words}`);
}

async function remove(command: ScheduleCommand): Promise<void> {
  const { scheduleId, flags, print } = command;
  if (!await endWatch(command, command)) refuseUnwatched(command);
  print(flags.json ? JSON.stringify({ removed: scheduleId }) : `Removed schedule ${scheduleId}`);
}

async function list(command: TaskCommand): Promise<void> {
  const { watches, verdicts } = command.records;
  const stored = await watches.list();
  const judged = await verdicts.list(stored.map(({ scheduleId }) => scheduleId));
  const byId = new Map(judged.map((verdict) => [verdict.scheduleId, verdict]));
  const planOf = ({ scheduleId, plan: confirmed }: StoredWatch) => {
    const plan = confirmed ?? byId.get(scheduleId)?.details.plan;
    return plan ? `${plan.cron.join("; ")} ${plan.zone}${confirmed ? "" : " (inferred)"}` : "";
  };
  printList(command, {
    json: stored.map((watch) => {
      const { state, headline = "unknown" } = byId.get(watch.scheduleId) ?? {};
      return { ...jsonOf(watch), state, headline };
    }),
    headings: ["ID", "NAME", "STATE", "PLAN", "CHECKED", "MUTED UNTIL"],
    rows: stored.map((watch) => [
      String(watch.scheduleId),
      maskAddresses(watchName(watch)),
      watch.failures > 0
        ? `unreadable since ${momentText(watch.failingSince)}`
        : byId.get(watch.scheduleId)?.headline ?? "unknown",
      planOf(watch),
      watch.polled !== null ? momentText(watch.polled) : watch.failures > 0 ? "failed" : "never",
      watch.mutedUntil === null ? "" : momentText(watch.mutedUntil),
    ]),
    none: "No watched schedules. To watch one: deno task watch add ID",
  });
}

/** Prints a line about a watch, or the watch as JSON; refuses if there is none. */
async function printWatch(command: ScheduleCommand, line: string): Promise<void> {
  const watch = await command.records.watches.get(command.scheduleId) ?? refuseUnwatched(command);
  command.print(command.flags.json ? JSON.stringify(jsonOf(watch)) : line);
}

function refuseUnwatched({ scheduleId }: ScheduleCommand): never {
  return refuse(`Schedule ${scheduleId} is not watched`);
}

/** Warnings if a schedule can't be read, or if the plan does not fit its runs. */
async function watchWarnings(
  command: ScheduleCommand,
  plan: Plan | null,
): Promise<readonly string[]> {
  const { scheduleId, now } = command;
  const cut = plan && shortestGrace(plan, planSlots(plan, now, now + COMING_MS));
  const tooLong = cut !== null
    ? [
      `The grace of ${formatDuration(plan!.graceMs)} is cut to ${formatDuration(cut)}: it has to ` +
      "end before the next run is due",
    ]
    : [];
  const reason = whyNotObserved(command);
  if (reason !== null) return [...tooLong, `Schedule ${scheduleId} will not be watched. ${reason}`];
  const runs = await newestRuns(command, scheduleId, COMPARED_RUNS);
  const wrong = runs === null
    ? `The service has no schedule ${scheduleId} so far. If the id is wrong: ` +
      `deno task watch remove ${scheduleId}`
    : plan && misfitWarning(plan, runs, now);
  return wrong ? [...tooLong, wrong] : tooLong;
}

function jsonOf(watch: StoredWatch) {
  const { scheduleId, name, note, title, plan, mutedUntil, polled, failures } = watch;
  return {
    scheduleId,
    name,
    owner: note,
    title,
    plan,
    mutedUntil: isoOrNull(mutedUntil),
    polledAt: isoOrNull(polled),
    failures,
  };
}

if (import.meta.main) await runAsProgram(watch);
