/** The schedules that a Docket knows, and scans for them; and who left. */
import { formatCount, formatCountOf, formatDuration, wholeNumber } from "../lib/format.ts";
import {
  type Command,
  command,
  count,
  ExitCode,
  flag,
  needed,
  text,
  UsageError,
} from "./command.ts";
import { readNamedFile } from "./files.ts";
import type { Io } from "./io.ts";
import { createProgress, interruptible } from "./progress.ts";
import { changeEach, type Counts, listRecords, printCounts, recordsAt } from "./records.ts";
import { readIds } from "./values.ts";
import { MAX_ADDED } from "./watch.ts";
import { FORMAT, jsonText } from "./writer.ts";

const COLUMNS = [
  ...["scheduleId", "name", "owner", "watched", "cron", "zone", "grace", "source", "state"],
  ...["lastSuccess", "next", "weeks", "weeksFrom"],
];
const TABLE = ["scheduleId", "state", "watched", "name", "owner", "lastSuccess", "next"];

interface Scan {
  readonly from: number;
  readonly to: number;
  readonly next: number;
  readonly state: "running" | "paused" | "stopped" | "done";
  readonly stopped: string | null;
  readonly secondsLeft: number | null;
  readonly answers: { readonly notAnswered: number };
  readonly sentence: string;
}

const MAX_RATE = 50;
const POLL_MS = 1000;

export const schedules: Readonly<Record<string, Command>> = {
  "schedules add": command({
    arguments: "[IDS…]",
    use: "let Docket know schedules, which it reads once a day",
    options: {
      file: text("FILE", "a CSV file with the columns of schedules list"),
    },
    notes: `
At most ${formatCount(MAX_ADDED)} at once: all are added, or none. What is known already is no
error. In a file, only scheduleId is needed. Where watched is true, they are
watched.
`,
    async run({ values, words, io, connect }) {
      const { file } = values;
      const csv = file === undefined ? undefined : await readNamedFile("--file", file, io);
      if (file && words.length > 0) throw new UsageError("Use either ids or --file");
      const sent = csv === undefined
        ? { body: { scheduleIds: readIds(words, MAX_ADDED) } }
        : { csv };
      const { call } = recordsAt(connect());
      const counts = await call<Counts>("POST", "schedules", sent);
      return await printCounts(counts, values, io);
    },
  }),
  "schedules scan": command({
    arguments: "",
    use: "ask the service for each id of a range, and wait",
    options: {
      from: needed(count("the first id", 0)),
      to: needed(count("the last id", 0)),
      rate: {
        value: "N/s",
        use: `requests a second, from 1/s to ${MAX_RATE}/s (default 5/s)`,
        read(text: string): number {
          const rate = wholeNumber(/^(\d+)\/s$/.exec(text)?.[1] ?? "") ?? 0;
          if (rate >= 1 && rate <= MAX_RATE) return rate;
          throw new RangeError(`must be from 1/s to ${MAX_RATE}/s, not "${text}"`);
        },
      },
    },
    notes: `
Docket then knows the schedules that exist. A scan that was stopped, as by
Ctrl+C, continues with the same command. Exits with 3 if ids were not answered.
`,
    async run({ values: { from, to, rate, json }, io, connect }) {
      const { call } = recordsAt(connect());
      const body = { from, to, ratePerSecond: rate };
      let exitCode: number = ExitCode.incomplete;
      let scan = await call<Scan>("POST", "schedules/scans", { body });
      const progress = createProgress(io);
      progress.start(() => describeScan(scan));
      await interruptible(io, async (signal) => {
        while (scan.state === "running" || scan.state === "paused") {
          await pause(io, signal);
          if (signal.aborted) {
            exitCode = ExitCode.interrupted;
            await call("DELETE", "schedules/scans");
          }
          const { items } = await call<{ readonly items: readonly Scan[] }>(
            "GET",
            "schedules/scans",
          );
          scan = items.find((each) => each.from === from && each.to === to)!;
        }
      }).finally(() => progress.stop());
      await io.out.write(json ? jsonText(scan) : `${scan.sentence}\n`);
      if (scan.state === "done") {
        return scan.answers.notAnswered > 0 ? ExitCode.incomplete : ExitCode.done;
      }
      await io.err.write(`${scan.stopped}. The same command continues at id ${scan.next}\n`);
      return exitCode;
    },
  }),
  "schedules list": command({
    arguments: "",
    use: "list the known schedules, and how complete they are",
    options: { format: FORMAT },
    run: (invocation) =>
      listRecords(invocation, "schedules", {
        columns: COLUMNS,
        table: TABLE,
        none: "No schedule is known",
      }),
  }),
  "schedules remove": changeEach({
    use: "forget schedules that are not watched, but not their runs",
    options: {},
    change: () => ({ method: "DELETE", path: "schedules", done: "is not known" }),
  }),
};

export const leavers = command({
  arguments: "FILE",
  use: "record who left, from a CSV file",
  options: { staff: flag("FILE lists all who are still there") },
  notes: `
The columns are userId, emailAddress, displayName and left. Each row has a user
id or an address; left is the last day, such as 2026-09-30, or empty.
`,
  async run({ values: { staff, json }, words, io, connect }) {
    const csv = await readNamedFile("leavers", words[0], io);
    const { call } = recordsAt(connect());
    const answer = await call<{ readonly listed: number; readonly receiving: number }>(
      "POST",
      "leavers",
      { csv, query: { staff } },
    );
    const listed = formatCountOf(answer.listed, "person", "people");
    const left = formatCountOf(
      answer.receiving,
      "person who left still receives",
      "people who left still receive",
    );
    const said = `${listed} listed; ${left} reports`;
    await io.out.write(json ? jsonText(answer) : `${said}\n`);
    return ExitCode.done;
  },
});

function describeScan({ from, to, next, state, secondsLeft }: Scan): string {
  const left = secondsLeft === null ? "" : `, at least ${formatDuration(secondsLeft * 1000)} left`;
  const paused = state === "paused" ? ", paused as the service asked" : "";
  return `${formatCount(next - from)} of ${formatCount(to - from + 1)} ids${left}${paused}`;
}

function pause(io: Io, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      resolve();
    };
    const stop = io.every(POLL_MS, end);
    signal.addEventListener("abort", end);
  });
}
