/** `deno task calendar`: adds, lists and removes calendars of days without runs. */
import { skippedWords } from "../../../lib/calendars/read_calendar.ts";
import { formatCountOf } from "../../../lib/format.ts";
import { idRanges } from "../../schedules/coverage.ts";
import { runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { saveCalendar } from "../save_calendar.ts";
import { readScheduleList, readSmallFile } from "./arguments.ts";
import { printList, refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP =
  `Adds, lists and removes calendars: days without runs, such as holidays. Runs planned on such a
day, in the zone of the plan, are neither missed nor overdue.

deno task calendar add NAME --file FILE | --dates DAYS [--schedules IDS] [--by WHO]
deno task calendar list [--json]
deno task calendar remove NAME [--by WHO]

--file       an iCalendar file (.ics) of all-day events, at most 1 MB
--dates      days such as 2026-12-24,2026-12-25
--schedules  the schedules that use it, such as 101,105-112. Default: all
--by         your name, for the record

add replaces a calendar with the same name.

Exit code 0: done; 1: there is no such calendar, or the database can't be used; 2: an argument or a
setting is wrong.`;

export const calendar = taskOf(HELP, ["json"], {
  add: { options: ["file", "dates", "schedules", "by"], run: add },
  list: { rest: 0, run: list },
  remove: { options: ["by"], run: remove },
});

async function add({ id: name, options, records, print, ...by }: TaskCommand): Promise<void> {
  const { file, dates, schedules } = options;
  if (name === "") throw new TaskError("The name of a calendar is missing");
  if ((file === undefined) === (dates === undefined)) {
    throw new TaskError("Use either --file or --dates; see --help");
  }
  const text = file === undefined ? dates! : await readSmallFile(file);
  const scheduleIds = schedules === undefined ? null : readScheduleList(schedules);
  const saved = await saveCalendar(records, { name, text, scheduleIds }, by);
  if (typeof saved === "string") throw new TaskError(saved);
  const { days, skipped } = saved;
  print(
    `Saved ${name}: ${formatCountOf(days.length, "day", "days")}, ${days[0]} to ${days.at(-1)}` +
      (skipped > 0 ? `; skipped ${skippedWords(skipped)}` : ""),
  );
}

async function remove({ id: name, records, print, ...by }: TaskCommand): Promise<void> {
  if (!await records.calendars.remove(name, by)) refuse(`There is no calendar "${name}"`);
  print(`Removed ${name}`);
}

async function list(command: TaskCommand): Promise<void> {
  const calendars = await command.records.calendars.list();
  printList(command, {
    json: calendars.map(({ name, days, scheduleIds }) => ({ name, days, scheduleIds })),
    headings: ["NAME", "DAYS", "FROM", "TO", "SCHEDULES"],
    rows: calendars.map(({ name, days, scheduleIds }) => [
      ...[name, String(days.length), days[0], days.at(-1)!],
      scheduleIds ? idRanges(scheduleIds) : "all",
    ]),
    none: "There are no calendars: deno task calendar add",
  });
}

if (import.meta.main) await runAsProgram(calendar);
