/** `deno task schedules`: adds, finds, lists and removes the schedules that Docket knows. */
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { csvStream } from "../../../lib/export.ts";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { describeCoverage, describeProgress, idRanges } from "../../schedules/coverage.ts";
import {
  beginSearch,
  continueSearch,
  DEFAULT_RATE,
  MAX_IDS,
  MAX_RATE,
  stopSearch,
} from "../../schedules/scan.ts";
import { LIST_COLUMNS, readScheduleFile } from "../../schedules/schedule_file.ts";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import type { IdSearch } from "../../store/records/id_searches.ts";
import type { ObserverRecords } from "../../store/records/observer_records.ts";
import type { ScheduleFigures } from "../../store/records/overview.ts";
import { abortOnStop, runAsProgram, type TaskContext, TaskError } from "../../store/tasks/task.ts";
import { isoOrNull } from "../event.ts";
import { accessTo, whyNotObserved } from "../service_observer.ts";
import { saveSchedules } from "../end_watch.ts";
import { momentText } from "../words.ts";
import { readCsvFile, readSchedule, readSchedules } from "./arguments.ts";
import { printList, refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP = `Adds, finds, lists and removes the schedules that Docket knows.

deno task schedules add IDS | --file FILE [--skip-invalid] [--by WHO]
deno task schedules find --from ID --to ID [--rate 5/s]
deno task schedules list [--format csv|json]
deno task schedules remove ID

add     adds schedules, such as 101-112,120: at most 50 ids and ranges at once; or those of a CSV file, separated by commas, semicolons or tabs, with
        the columns ${LIST_COLUMNS.slice(0, 7).join(",")}. Only scheduleId is required.
        watched is true or false; cron may have several expressions separated by semicolons; a zone
        is such as Europe/Berlin, a grace such as 20m. A file of list --format csv can be read back.
        Adds nothing unless every line is valid; --skip-invalid adds the valid ones
find    requests each id of a range from the service. You can stop it; started again with the same
        range, it continues
list    lists the known schedules with their headlines
remove  removes a known schedule that is not watched

A known schedule that is not watched is read once a day, without incidents; deno task watch add
watches it.

Exit code 0: done; 1: the schedule is not known or is watched, the search stopped, or the database
can't be used; 2: an argument, a setting or the file is wrong; 3: some ids could not be checked.`;

const REPORT_MS = 5000;
const PAUSE_MS = 1000;
const MAX_REPORTED = 100;

export const schedules = taskOf(HELP, ["skip-invalid"], {
  add: { options: ["file", "by", "skip-invalid"], run: add },
  find: { options: ["from", "to", "rate"], rest: 0, run: find },
  list: { options: ["format"], rest: 0, run: list },
  remove: { run: remove },
});

async function add(command: TaskCommand): Promise<void> {
  const { options: { file: path }, flags, id, now, records, print, report } = command;
  if (path === undefined) {
    if (flags["skip-invalid"]) throw new TaskError("--skip-invalid needs --file");
    const onlyRead = { watched: 0 } as const;
    for (const scheduleId of readSchedules(id)) {
      const added = await records.watches.add([scheduleId], now, {}, undefined, onlyRead);
      print(`${added.length > 0 ? "Added" : "Already known:"} schedule ${scheduleId}`);
    }
    return;
  }
  if (id !== "") throw new TaskError("Use either an id or --file");
  const { schedules, issues } = await readCsvFile(path, (file) => readScheduleFile(file, now));
  for (const { line, issue } of issues.slice(0, MAX_REPORTED)) report(`line ${line}: ${issue}`);
  if (issues.length > MAX_REPORTED) {
    report(`and ${formatCount(issues.length - MAX_REPORTED)} more lines`);
  }
  if (issues.length > 0 && !flags["skip-invalid"]) {
    const lines = issues.length === 1 ? "this line" : "these lines";
    throw new TaskError(`Nothing was added. Correct ${lines}, or use --skip-invalid`);
  }
  const { added, changed } = await saveSchedules(command, schedules, command);
  const skipped = issues.length > 0
    ? `, ${formatCountOf(issues.length, "line", "lines")} skipped`
    : "";
  const words = formatCountOf(added, "schedule", "schedules");
  print(`${words} added, ${formatCount(changed)} changed${skipped}`);
}

async function find(command: TaskCommand): Promise<number> {
  const { options, records, settings, context } = command;
  if (!options.from || !options.to) throw new TaskError("find needs --from ID and --to ID");
  const from = readSchedule(options.from);
  const to = readSchedule(options.to);
  if (to < from || to - from >= MAX_IDS) {
    throw new TaskError(
      `--to must be at least --from, and at most ${formatCount(MAX_IDS - 1)} more`,
    );
  }
  const rate = readRate(options.rate);
  const reason = whyNotObserved(command);
  if (reason !== null) throw new TaskError(reason);
  const now = () => context.now().getTime();
  const access = accessTo(settings, command, now);
  const { sleep } = systemRuntime();
  if (!await beginSearch({ records, now }, { from, to, rate })) {
    refuse("Another search is running: see the page Schedules");
  }
  using stop = abortOnStop();
  const { signal } = stop;
  const reporting = setInterval(() => void report(records, context).catch(() => {}), REPORT_MS);
  try {
    while (!signal.aborted && await continueSearch({ records, access, now, sleep }, signal)) {
      await sleep(PAUSE_MS, signal).catch(() => {});
    }
  } finally {
    clearInterval(reporting);
  }
  // Otherwise, a running Docket would continue the search.
  if (signal.aborted) await stopSearch(records, { from, to });
  return await conclude(command, { from, to });
}

async function report({ idSearches }: ObserverRecords, context: TaskContext): Promise<void> {
  const search = await idSearches.open();
  if (!search) return;
  const paused = search.pausedUntil > context.now().getTime()
    ? `, paused until ${momentText(search.pausedUntil)} because the service asked for it`
    : "";
  context.report(`${describeProgress(search, context.now().getTime())}${paused}`);
}

async function conclude(
  { records: { idSearches, watches }, print }: TaskCommand,
  range: Pick<IdSearch, "from" | "to">,
): Promise<number> {
  const search = (await idSearches.searches())
    .find(({ from, to }) => from === range.from && to === range.to)!;
  const { found, vanished } = await idSearches.changes(search);
  if (found.length > 0) print(`New: ${idRanges(found)}`);
  if (vanished.length > 0) print(`No longer there: ${idRanges(vanished)}`);
  print(describeCoverage(await watches.countKnown(), [search], "UTC"));
  if (search.ended === null) {
    refuse(`${search.stopped ?? "Stopped"}. The same command continues at id ${search.next}`);
  }
  return search.answers.failed > 0 ? 3 : 0;
}

function readRate(text: string | undefined): number {
  const per = /^(\d+)\/s$/.exec(text ?? `${DEFAULT_RATE}/s`)?.[1];
  const rate = wholeNumber(per ?? "");
  if (rate !== null && rate >= 1 && rate <= MAX_RATE) return rate;
  throw new TaskError(
    `--rate must be requests a second from 1/s to ${MAX_RATE}/s, not "${text}"`,
  );
}

async function list(command: TaskCommand): Promise<void> {
  const { options: { format }, flags, records, print } = command;
  if (format !== undefined && format !== "csv" && format !== "json") {
    throw new TaskError(`--format must be csv or json, not "${format}"`);
  }
  const rows = (await Array.fromAsync(records.overview.figures("known"))).flat().map(rowOf);
  if (format === "csv") {
    const text = await new Response(csvStream(rows, { columns: LIST_COLUMNS })).text();
    return print(text.trimEnd());
  }
  printList({ ...command, flags: { ...flags, json: format === "json" } }, {
    json: rows,
    headings: ["ID", "NAME", "OWNER", "WATCHED", "STATE", "LAST SENT", "NEXT"],
    rows: rows.map((row) => [
      String(row.scheduleId),
      maskAddresses(row.name),
      row.owner,
      row.watched ? "yes" : "no",
      row.state,
      row.lastSuccess?.slice(0, 16) ?? "never",
      row.next?.slice(0, 16) ?? "",
    ]),
    none: "No schedule is known: deno task schedules add ID",
  });
  if (format) return;
  print(describeCoverage(rows.length, await records.idSearches.searches(), "UTC"));
}

function rowOf(known: ScheduleFigures) {
  const { scheduleId, name, note, watched, plan, source, headline, lastSuccess, nextDue } = known;
  return {
    scheduleId,
    name,
    owner: note,
    watched: watched === 1,
    cron: plan?.cron.join("; ") ?? null,
    zone: plan?.zone ?? null,
    grace: plan ? `${Math.round(plan.graceMs / 1000)}s` : null,
    source,
    state: headline,
    lastSuccess: isoOrNull(lastSuccess),
    next: isoOrNull(nextDue),
  };
}

async function remove(command: TaskCommand): Promise<void> {
  const { id, records: { watches }, print } = command;
  const scheduleId = readSchedule(id);
  if (await watches.forget(scheduleId)) return print(`Removed schedule ${scheduleId}`);
  const isWatched = await watches.get(scheduleId) !== undefined;
  refuse(
    isWatched
      ? `Schedule ${scheduleId} is watched: first run deno task watch remove ${scheduleId}`
      : `Schedule ${scheduleId} is not known`,
  );
}

if (import.meta.main) await runAsProgram(schedules);
