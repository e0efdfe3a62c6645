/** `deno task leavers`: reads a file of people who left. */
import { formatCountOf } from "../../../lib/format.ts";
import {
  homeDomainsAmong,
  PEOPLE_COLUMNS,
  readPeopleFile,
  saveLeavers,
} from "../../schedules/leaver_file.ts";
import { runAsProgram, type Task, TaskError } from "../../store/tasks/task.ts";
import { readCsvFile } from "./arguments.ts";
import { withRecords } from "./task_records.ts";

const HELP =
  `Reads a file of people who left. If watched schedules still list them, incidents are opened.

deno task leavers FILE           FILE is a CSV file of people who left
deno task leavers FILE --staff   FILE is a CSV file of all present staff
deno task leavers --clear        removes the stored leavers

The columns are ${PEOPLE_COLUMNS.join(", ")}. Each row has a user id or an address; left
is the last day, such as 2026-09-30, or empty. With --staff, everybody in your domains who receives
reports and is not in the file has left. An export of people can be read back.`;

export const leavers: Task = {
  help: HELP,
  rest: 1,
  flags: ["staff", "clear"],
  async run({ rest: [path], flags }, context) {
    if (flags.clear ? path !== undefined || flags.staff : path === undefined) {
      throw new TaskError("Use FILE, FILE --staff or --clear; see --help");
    }
    return await withRecords(context, async ({ records, settings }) => {
      if (flags.clear) {
        await records.leavers.clear();
        context.print("Removed all leavers");
        return 0;
      }
      const now = context.now().getTime();
      const { people, issues } = await readCsvFile(path, (file) => readPeopleFile(file, now));
      for (const { line, issue } of issues) context.report(`${path}, line ${line}: ${issue}`);
      if (issues.length > 0) throw new TaskError("Nothing was saved: correct the file");
      const { home } = homeDomainsAmong(settings, await records.people.byDomain());
      await saveLeavers(records, people, { isStaff: flags.staff, home, now });
      const left = await records.people.countAll({ group: "left", home, newDomains: [], now });
      context.print(
        `${formatCountOf(left, "person who left", "people who left")} still received reports`,
      );
      return 0;
    });
  },
};

if (import.meta.main) await runAsProgram(leavers);
