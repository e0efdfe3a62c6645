/** `deno task calendar`: adds, lists and removes calendars of days without runs. */
import { formatCountOf } from "../../../lib/format.ts";
import {
  type Arguments,
  printTable,
  runAsProgram,
  type Task,
  type TaskContext,
  TaskError,
} from "../../store/tasks/task.ts";
import { saveCalendar } from "../save_calendar.ts";
import { actorOf, checkOptions, readScheduleList, readSmallFile } from "./arguments.ts";
import { withRecords } from "./task_records.ts";

const HELP =
  `Adds, lists and removes calendars: days without runs, such as holidays. What is planned
on such a day, in the zone of the plan, is neither missed nor overdue.

deno task calendar add NAME --file FILE | --dates DAYS [--schedules IDS] [--by WHO]
deno task calendar list [--json]
deno task calendar remove NAME [--by WHO]

--file       an iCalendar file (.ics) of all-day events, at most 1 MB
--dates      days such as 2026-12-24,2026-12-25
--schedules  the schedules that it is for, such as 101,105-112. Default: all
--by         who does it

add replaces a calendar of the same name.

Exit code 0: done; 1: there is no such calendar, or the database can't be used; 2: something in the
arguments or settings is wrong.`;

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  add: ["file", "dates", "schedules", "by"],
  list: [],
  remove: ["by"],
};

/** Adds, lists and removes calendars. */
export const calendar: Task = { help: HELP, options: OPTIONS.add, flags: ["json"], rest: 2, run };

async function run(given: Arguments, context: TaskContext): Promise<number> {
  const { options, flags, rest: [action = "", name = ""] } = given;
  if (!Object.hasOwn(OPTIONS, action)) throw new TaskError("Use add, list or remove; see --help");
  checkOptions(action, options, OPTIONS[action]);
  if (name === "" && action !== "list") throw new TaskError("Give the name of a calendar");
  const now = context.now().getTime();
  return await withRecords(context, async ({ records }) => {
    if (action === "add") {
      if ((options.file === undefined) === (options.dates === undefined)) {
        throw new TaskError("Give either --file or --dates; see --help");
      }
      const text = options.file === undefined ? options.dates! : await readSmallFile(options.file);
      const ids = readScheduleList(options.schedules);
      const entered = { name, text, scheduleIds: options.schedules === undefined ? null : ids };
      const days = await saveCalendar(records, entered, { actor: actorOf(options), now });
      if (typeof days === "string") throw new TaskError(days);
      context.print(
        `Saved ${name}: ${formatCountOf(days.length, "day", "days")}, ${days[0]} to ${days.at(-1)}`,
      );
      return 0;
    }
    if (action === "remove") {
      const isRemoved = await records.calendars.remove(name, now);
      if (isRemoved) context.print(`Removed ${name}`);
      else context.report(`There is no calendar "${name}"`);
      return isRemoved ? 0 : 1;
    }
    const calendars = await records.calendars.list();
    if (flags.json) {
      context.print(JSON.stringify(calendars.map(({ name, days, scheduleIds }) => ({
        ...{ name, days, scheduleIds },
      }))));
      return 0;
    }
    if (calendars.length === 0) context.report("There are no calendars: deno task calendar add");
    printTable([
      ["NAME", "DAYS", "FROM", "TO", "SCHEDULES"],
      ...calendars.map(({ name, days, scheduleIds }) => [
        ...[name, String(days.length), days[0], days.at(-1)!],
        scheduleIds?.join(",") ?? "all",
      ]),
    ], context);
    return 0;
  });
}

if (import.meta.main) await runAsProgram(calendar);
