/** Reads values and words that several commands have. */
import { readDateTime } from "../lib/date_times.ts";
import { wholeNumber } from "../lib/format.ts";
import { checkZone, parsePlan, type PlanText, readDuration } from "../lib/judgement/plans/parse.ts";
import { parseSearchQuery, type SearchBody } from "../lib/mod.ts";
import { suggestion, terminalWidth } from "../lib/terminal.ts";
import { needed, type Option, text, UsageError } from "./command.ts";

export function zone(use: string): Option<string> {
  return { value: "ZONE", use, read: (text) => checkZone("", text) };
}

export const QUERY_ZONE = zone("the time zone in which days begin (default UTC)");

export const PLAN = {
  cron: {
    value: "CRON",
    use: "when runs are due, such as '0 6 * * *'; separate several with semicolons",
    read(cron: string): string {
      parsePlan({ cron }, 0);
      return cron;
    },
  },
  zone: zone("the time zone of --cron, such as Europe/Berlin (default UTC)"),
  grace: {
    value: "TIME",
    use: "how late a run may start under --cron, such as 20m (default 10m)",
    read(grace: string): string {
      parsePlan({ cron: "* * * * *", grace }, 0);
      return grace;
    },
  },
};

/** When something ends; read by {@linkcode readUntil}. */
export const UNTIL = needed(text("TIME", "a duration such as 2h, or a time with a zone"));

/** The time in `--until` in ISO 8601. */
export function readUntil(until: string, now: number): string {
  const duration = readDuration(until);
  const { ms } = duration === undefined ? readDateTime(until) : { ms: now + duration };
  if (ms !== undefined && ms > now) return new Date(ms).toISOString();
  throw new UsageError(
    "--until must be a duration such as 2h, or a time in the future such as 2030-03-10T08:00:00Z",
  );
}

/** The plan that options describe; undefined without one. */
export function readPlanOptions({ cron, zone, grace }: Partial<PlanText>): PlanText | undefined {
  if (cron === undefined) {
    const other = zone === undefined ? grace === undefined ? null : "grace" : "zone";
    if (other) throw new UsageError(`--${other} needs --cron`);
    return undefined;
  }
  return { cron, ...zone && { zone }, ...grace && { grace } };
}

/** Reads a query; its words may be several arguments. The error marks the parts that are not valid. */
export function readQuery(words: readonly string[], zone = "UTC"): SearchBody {
  // Tabs and line breaks would move the marks.
  const query = words.join(" ").replace(/\s/g, " ");
  const { body, issues } = parseSearchQuery(query, { zone });
  if (issues.length === 0) return body;
  const lines = issues.map(({ start, end, detail }) =>
    `${detail}\n  ${query}\n  ${" ".repeat(terminalWidth(query.slice(0, start)))}${
      "^".repeat(Math.max(1, terminalWidth(query.slice(start, end))))
    }`
  );
  throw new UsageError(lines.join("\n"));
}

/** Reads the chosen columns, if any; throws if one is unknown, or with `mayHaveMore`, a misspelt one. */
export function readColumns(
  chosen: string | undefined,
  all: readonly string[],
  { fieldOf = (name) => name, mayHaveMore = false }: {
    readonly fieldOf?: (name: string) => string;
    readonly mayHaveMore?: boolean;
  } = {},
): readonly string[] | undefined {
  if (chosen === undefined) return undefined;
  const columns = new Set(chosen.split(",").filter((name) => name !== "").map(fieldOf));
  if (columns.size === 0) throw new UsageError("--columns names no field");
  const known = [...new Set(all)];
  const unknown = [...columns].find((name) =>
    !known.includes(name) && !(mayHaveMore && suggestion(name, known) === "")
  );
  if (unknown !== undefined) {
    const meant = suggestion(unknown, known);
    throw new UsageError(`--columns: there is no "${unknown}"${meant}: use ${known.join(", ")}`);
  }
  return [...columns];
}

/** Reads ids and ranges, such as `101-112,120`, at least one and at most `most`. */
export function readIds(words: readonly string[], most = 1000): readonly number[] {
  const ids = new Set<number>();
  const tooMany = `At most ${most.toLocaleString("en")} schedules at once: use several commands`;
  for (const part of words.join(",").split(/[\s,;]+/).filter((part) => part !== "")) {
    const [first, last = first] = part.split("-").map((end) => wholeNumber(end) ?? NaN);
    if (!(first >= 0 && last >= first) || part.split("-").length > 2) {
      throw new UsageError(`Schedules are ids and ranges, such as 101-112, not "${part}"`);
    }
    if (last - first >= most) throw new UsageError(tooMany);
    for (let id = first; id <= last; id++) ids.add(id);
  }
  if (ids.size > most) throw new UsageError(tooMany);
  if (ids.size === 0) throw new UsageError("The ids of schedules are missing, such as 101-112");
  return [...ids];
}

export function readId([word]: readonly string[]): number {
  const id = wholeNumber(word);
  if (id !== null && id >= 0) return id;
  throw new UsageError(
    `The id of a report schedule is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, ` +
      `not "${word}"`,
  );
}
