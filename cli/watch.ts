/** Watches schedules of a Docket. */
import { formatCount } from "../lib/format.ts";
import { readDuration } from "../lib/judgement/plans/parse.ts";
import { type Command, command, text, UsageError } from "./command.ts";
import { changeEach, type Counts, listRecords, printCounts, recordsAt } from "./records.ts";
import { PLAN, readIds, readPlanOptions, readUntil, UNTIL } from "./values.ts";
import { FORMAT } from "./writer.ts";

export const MAX_ADDED = 5000;

interface Watch {
  readonly scheduleId: number;
  readonly plan: {
    readonly cron: string;
    readonly zone: string;
    readonly source: string;
    readonly weeks: number | null;
  } | null;
}

const TABLE = ["scheduleId", "headline", "name", "plan", "next", "mutedUntil"];
const COLUMNS = [
  ...["scheduleId", "name", "owner", "cron", "zone", "graceMinutes", "source", "state"],
  ...["headline", "lastSuccess", "next", "mutedUntil", "weeks", "weeksFrom"],
];

export const watch: Readonly<Record<string, Command>> = {
  "watch add": command({
    arguments: "IDS…",
    use: "watch schedules, or change how they are watched",
    options: { ...PLAN, owner: text("NAME", "whose channels incidents go to") },
    notes: `
IDS are ids and ranges, at most ${formatCount(MAX_ADDED)} at once: all are added, or none. Without
--cron, Docket infers the plan. What is watched already is no error.

Example:
  docket watch add 101-112 --cron "0 6 * * *" --zone Europe/Berlin --grace 20m
`,
    async run({ values, words, io, connect }) {
      const scheduleIds = readIds(words, MAX_ADDED);
      const { grace, ...plan } = readPlanOptions(values) ?? {};
      const graceMinutes = grace && readDuration(grace)! / 60_000;
      if (graceMinutes && !Number.isInteger(graceMinutes)) {
        throw new UsageError("--grace must be whole minutes, such as 20m or 2h");
      }
      const { call } = recordsAt(connect());
      const body = { scheduleIds, ...plan, graceMinutes, owner: values.owner };
      const counts = await call<Counts>("POST", "watches", { body });
      return await printCounts(counts, values, io);
    },
  }),
  "watch list": command({
    arguments: "",
    use: "list the watched schedules",
    options: { format: FORMAT },
    run: (invocation) =>
      listRecords<Watch>(invocation, "watches", {
        columns: COLUMNS,
        table: TABLE,
        none: "No schedule is watched",
        toRow: ({ plan, ...watch }) => ({
          ...plan,
          ...watch,
          plan: plan && `${plan.cron} ${plan.weeks ? `every ${plan.weeks} weeks ` : ""}` +
              `${plan.zone}${plan.source === "inferred" ? "?" : ""}`,
        }),
      }),
  }),
  "watch remove": changeEach({
    use: "stop watching schedules, and resolve their incidents",
    options: {},
    change: () => ({ method: "DELETE", path: "watches", done: "is not watched" }),
  }),
  "watch mute": changeEach({
    use: "send nothing about schedules until then",
    options: { until: UNTIL },
    notes: `
TIME may also be "off", which ends the muting.
`,
    change({ values: { until }, io }) {
      const mutedUntil = until === "off" ? null : readUntil(until, io.now());
      const done = mutedUntil === null ? "is not muted" : `is muted until ${mutedUntil}`;
      return { method: "PATCH", path: "watches", body: { mutedUntil }, done };
    },
  }),
};
