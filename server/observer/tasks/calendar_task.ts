/** `deno task calendar`: adds, lists and removes calendars of days without runs. */
import { formatCountOf } from "../../../lib/format.ts";
import { printTable, runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { saveCalendar } from "../save_calendar.ts";
import { actorOf, readScheduleList, readSmallFile } from "./arguments.ts";
import { type TaskCommand, taskOf } from "./task_records.ts";

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

/** Adds, lists and removes calendars. */
export const calendar = taskOf(HELP, ["json"], {
  add: { options: ["file", "dates", "schedules", "by"], run: add },
  list: { run: list },
  remove: { options: ["by"], run: remove },
});

function nameOf({ rest: [, name = ""] }: TaskCommand): string {
  if (name === "") throw new TaskError("Give the name of a calendar");
  return name;
}

async function add(command: TaskCommand): Promise<number> {
  const { options: { file, dates, schedules, by }, records, now, print } = command;
  const name = nameOf(command);
  if ((file === undefined) === (dates === undefined)) {
    throw new TaskError("Give either --file or --dates; see --help");
  }
  const text = file === undefined ? dates! : await readSmallFile(file);
  const ids = readScheduleList(schedules);
  const entered = { name, text, scheduleIds: schedules === undefined ? null : ids };
  const days = await saveCalendar(records, entered, { actor: actorOf({ by }), now });
  if (typeof days === "string") throw new TaskError(days);
  print(
    `Saved ${name}: ${formatCountOf(days.length, "day", "days")}, ${days[0]} to ${days.at(-1)}`,
  );
  return 0;
}

async function remove(command: TaskCommand): Promise<number> {
  const { records, now, print, report } = command;
  const name = nameOf(command);
  const isRemoved = await records.calendars.remove(name, now);
  if (isRemoved) print(`Removed ${name}`);
  else report(`There is no calendar "${name}"`);
  return isRemoved ? 0 : 1;
}

async function list({ records, flags, context, print, report }: TaskCommand): Promise<number> {
  const calendars = await records.calendars.list();
  if (flags.json) {
    const rows = calendars.map(({ name, days, scheduleIds }) => ({ name, days, scheduleIds }));
    print(JSON.stringify(rows));
    return 0;
  }
  if (calendars.length === 0) report("There are no calendars: deno task calendar add");
  printTable([
    ["NAME", "DAYS", "FROM", "TO", "SCHEDULES"],
    ...calendars.map(({ name, days, scheduleIds }) => [
      ...[name, String(days.length), days[0], days.at(-1)!],
      scheduleIds?.join(",") ?? "all",
    ]),
  ], context);
  return 0;
}

if (import.meta.main) await runAsProgram(calendar);
