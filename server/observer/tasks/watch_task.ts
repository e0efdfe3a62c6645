/** `deno task watch`: adds, lists, mutes and removes the schedules that Docket watches. */
import { maskAddresses } from "../../../lib/runs/mask.ts";
import type { StatusDictionary, StatusMeaning } from "../../../lib/runs/status.ts";
import { planSummary } from "../../schedules/saved_plan.ts";
import { statusWords } from "../../schedules/status_dictionary.ts";
import type { ScheduleFigures } from "../../store/observer/overview.ts";
import type { StoredWatch } from "../../store/observer/types.ts";
import { type WatchAction, watchEvent } from "../../store/observer/watch_events.ts";
import { watchName } from "../../store/observer/watches.ts";
import { printTable, runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { textIssue } from "../../store/text.ts";
import { endWatch } from "../end_watch.ts";
import { isoOrNull } from "../event.ts";
import { momentText } from "../words.ts";
import { actorOf, readName, readPlan, readSchedule, readUntil } from "./arguments.ts";
import { type TaskCommand, taskOf } from "./task_records.ts";
import { watchWarnings } from "./watch_warnings.ts";

const HELP = `Adds, lists, polls, mutes and removes the schedules that Docket watches.

deno task watch add ID [--name NAME] [--owner WHO] [--cron CRON --zone ZONE --grace TIME]
                       [--statuses LIST] [--by WHO] [--json]
deno task watch list [--json]
deno task watch poll ID [--json]
deno task watch mute ID --until TIME [--by WHO] [--json]
deno task watch remove ID [--by WHO] [--json]

--name      what people call the schedule
--owner     who looks after it, such as a team: the overview filters by this
--cron      when its runs are due, as a cron expression of five fields, such as "0 6 * * 1-5";
            several are separated by semicolons. It judges the newest run due before now, and
            what is due from now on
--zone      the zone of the cron expression, such as Europe/Berlin. Default: UTC
--grace     how late a run may start, such as 20m. Default: 10m
--statuses  what statuses mean, such as completed=good,failed=bad, or "default": success=good,
            failure=bad. The meanings are good, bad and neutral, and neutral is what is not listed
--until     a date-time with a zone, a duration such as 2h, or "off"
--by        who does it, as the timeline of the schedule's plan and incidents shows it
--json      prints JSON

Without --name, a schedule is called by its report's title. remove also resolves the incidents of
the schedule. poll makes a running Docket read the schedule within seconds; otherwise the next deno
task observe --once does. add warns if the newest runs don't fit the plan, or if the next run cuts
the grace, and if Docket's own service has no such schedule; another service is not asked. A
schedule that is already watched is changed.

Exit code 0: done; 1: the schedule is not watched, or the database can't be used; 2: something in
the arguments or settings is wrong.`;

/** Adds, lists, polls, mutes and removes watches. */
export const watch = taskOf(HELP, ["json"], {
  add: {
    options: ["name", "owner", "cron", "zone", "grace", "statuses", "by"],
    run: (command) => add(asked(command)),
  },
  list: { isAlone: true, run: list },
  poll: { run: (command) => poll(asked(command)) },
  mute: { options: ["until", "by"], run: (command) => mute(asked(command)) },
  remove: { options: ["by"], run: (command) => remove(asked(command)) },
});

/** What is done with one schedule. */
type Asked = TaskCommand & WatchAction;

function asked(command: TaskCommand): Asked {
  const scheduleId = readSchedule(command.rest[1] ?? "");
  return { ...command, scheduleId, actor: actorOf(command.options) };
}

async function add(command: Asked): Promise<number> {
  const { scheduleId, options, now, records } = command;
  const plan = readPlan(options, now);
  const settings = {
    ...(options.name === undefined ? {} : { name: readName("name", options.name) }),
    ...(options.owner === undefined ? {} : { note: readName("owner", options.owner) }),
    ...(plan ? { plan } : {}),
    ...(options.statuses === undefined ? {} : { statuses: readStatuses(options.statuses) }),
  };
  const confirmed = plan
    ? [watchEvent("plan confirmed", command, { note: planSummary({ plan, pauses: [] }) })]
    : [];
  const watched = [watchEvent("watched", command), ...confirmed];
  const isNew = (await records.watches.add([scheduleId], now, settings, () => watched)).length > 0;
  const changed = plan ? confirmed : [watchEvent("watch changed", command)];
  if (!isNew && !await records.watches.change(scheduleId, settings, now, changed)) {
    return notWatched(command);
  }
  const word = isNew ? "Added" : "Changed";
  const code = await printWatch(command, `${word} schedule ${scheduleId}`);
  const warnings = await watchWarnings(command, { scheduleId, plan, now });
  for (const line of warnings) command.report(line);
  return code;
}

async function poll(command: Asked): Promise<number> {
  const { scheduleId, now, records } = command;
  if (!await records.watches.get(scheduleId)) return notWatched(command);
  await records.polls.makeDue(scheduleId, now);
  return await printWatch(command, `Schedule ${scheduleId} is polled next`);
}

async function mute(command: Asked): Promise<number> {
  const { scheduleId, options, now, records } = command;
  const mutedUntil = readUntil(options.until, now);
  if (!await records.watches.get(scheduleId)) return notWatched(command);
  const done = mutedUntil === null
    ? watchEvent("schedule unmuted", command)
    : watchEvent("schedule muted", command, { note: `until ${momentText(mutedUntil)}` });
  await records.watches.change(scheduleId, { mutedUntil }, now, [done]);
  const words = mutedUntil === null ? "not muted" : `muted until ${momentText(mutedUntil)}`;
  return await printWatch(command, `Schedule ${scheduleId} is ${words}`);
}

async function remove(command: Asked): Promise<number> {
  const { scheduleId, flags, print } = command;
  if (!await endWatch(command, command)) return notWatched(command);
  print(flags.json ? JSON.stringify({ removed: scheduleId }) : `Removed schedule ${scheduleId}`);
  return 0;
}

async function list({ records, flags, context, print }: TaskCommand): Promise<number> {
  const watches = await records.watches.list();
  const found = new Map<number, ScheduleFigures>();
  for await (const page of records.overview.figures()) {
    for (const figures of page) found.set(figures.scheduleId, figures);
  }
  if (flags.json) {
    const rows = watches.map((watch) => ({
      ...jsonOf(watch),
      state: found.get(watch.scheduleId)?.state ?? undefined,
      headline: found.get(watch.scheduleId)?.headline,
    }));
    print(JSON.stringify(rows));
    return 0;
  }
  if (watches.length === 0) {
    print("No watched schedules. To watch one: deno task watch add ID");
    return 0;
  }
  const plans = new Map<number, string>();
  for await (const page of records.overview.plans()) {
    for (const { scheduleId, plan, isConfirmed } of page) {
      const source = isConfirmed ? "" : " (inferred)";
      plans.set(scheduleId, `${plan.cron.join("; ")} ${plan.zone}${source}`);
    }
  }
  printTable([
    ["ID", "NAME", "STATE", "PLAN", "STATUSES", "CHECKED", "MUTED UNTIL"],
    ...watches.map((watch) => [
      String(watch.scheduleId),
      maskAddresses(watchName(watch)),
      watch.failures > 0
        ? `unreadable since ${momentText(watch.failingSince)}`
        : found.get(watch.scheduleId)?.headline ?? "",
      plans.get(watch.scheduleId) ?? "",
      watch.statuses ? statusWords(watch.statuses) : "default",
      watch.polled !== null ? momentText(watch.polled) : watch.failures > 0 ? "failed" : "never",
      watch.mutedUntil === null ? "" : momentText(watch.mutedUntil),
    ]),
  ], context);
  return 0;
}

async function printWatch(
  { scheduleId, flags, records, print }: Asked,
  line: string,
): Promise<number> {
  const watch = await records.watches.get(scheduleId);
  print(flags.json && watch ? JSON.stringify(jsonOf(watch)) : line);
  return 0;
}

function notWatched({ scheduleId, report }: Asked): number {
  report(`Schedule ${scheduleId} is not watched`);
  return 1;
}

/** Reads what statuses mean; null for Docket's own meanings. */
function readStatuses(text: string): StatusDictionary | null {
  if (text === "default") return null;
  const entries = text.split(",").map((entry) => {
    const [, status = "", meaning] = /^(.+)=(good|bad|neutral)$/.exec(entry.trim()) ?? [];
    const name = status.trim().toLowerCase();
    if (name && !textIssue(name)) return [name, meaning as StatusMeaning] as const;
    throw new TaskError(
      `--statuses must be a list such as completed=good,failed=bad, or "default", not "${entry}"; ` +
        "each status is good, bad or neutral",
    );
  });
  return Object.fromEntries(entries);
}

function jsonOf(watch: StoredWatch) {
  const { scheduleId, name, note, title, plan, statuses, mutedUntil, polled, failures } = watch;
  return {
    scheduleId,
    name,
    owner: note,
    title,
    plan,
    statuses,
    mutedUntil: isoOrNull(mutedUntil),
    polledAt: isoOrNull(polled),
    failures,
  };
}

if (import.meta.main) await runAsProgram(watch);
