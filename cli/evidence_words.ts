/** Reads what a pack of evidence is made of. */
import { startOfDay } from "../lib/days.ts";
import { timeText } from "../lib/format.ts";
import type { EvidenceQuestion } from "../lib/evidence/mod.ts";
import { UsageError } from "./command.ts";
import { readSearch } from "./list_words.ts";
import type { Values } from "./options.ts";
import { readId, readIds, readZone } from "./values.ts";

export function readQuestion(
  values: Values,
  [subject, ...rest]: readonly string[],
): EvidenceQuestion {
  const { since, on } = values;
  const zone = readZone(values);
  for (const [option, taker] of [["since", "history"], ["on", "recipients"]] as const) {
    if (values[option] !== undefined && subject !== taker) {
      throw new UsageError(`evidence ${subject} takes no --${option}`);
    }
  }
  switch (subject) {
    case "filesets":
      return { kind: "search", body: readSearch(values, rest) };
    case "history":
      return {
        kind: "history",
        scheduleId: readId("evidence history", rest),
        since: since && readMoment(since, zone),
      };
    case "recipients":
      if (on === undefined || startOfDay(on, zone) === undefined) {
        throw new UsageError("evidence recipients needs --on DAY, such as 2026-09-30");
      }
      if (rest.length === 0) throw new UsageError("evidence recipients needs ids of schedules");
      return { kind: "recipients", scheduleIds: readIds(rest.join()), on, zone };
    default:
      throw new UsageError("evidence needs one of filesets, history, recipients or key");
  }
}

function readMoment(text: string, zone: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isTime ? Date.parse(text) : startOfDay(text, zone) ?? NaN;
  if (!Number.isNaN(time)) return timeText(time);
  throw new UsageError("--since must be a day, such as 2026-07-01, or a date-time with a zone");
}
