import { wholeNumber } from "../../lib/format.ts";
import type { ValidationIssue } from "../http/problem.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";

/** How many rows a page of a list has. */
export const PAGE = 50;

/** Reads what a link filters a list by; `issues` has everything that is not valid. */
export function readFilter(params: URLSearchParams) {
  const issues: ValidationIssue[] = [];
  const readText = (name: string) => params.get(name)?.trim() ?? "";
  return {
    issues,
    /** One of several values; the first one if none was given. */
    choice<Value extends string>(name: string, allowed: readonly Value[]): Value {
      const text = readText(name);
      const found = allowed.find((value) => value === text);
      const detail = `must be one of ${allowed.join(", ")}`;
      if (text && found === undefined) issues.push({ parameter: name, detail });
      return found ?? allowed[0];
    },
    /** The id of the only schedule to list; undefined if all are. */
    schedule(): number | undefined {
      const text = readText("schedule");
      const scheduleId = readScheduleId(text);
      if (scheduleId === null && text) {
        issues.push({ parameter: "schedule", detail: SCHEDULE_ID_RULE });
      }
      return scheduleId ?? undefined;
    },
    offset(): number {
      const text = readText("offset");
      const offset = text ? wholeNumber(text) : 0;
      if (offset !== null && offset >= 0) return offset;
      issues.push({ parameter: "offset", detail: "must be a whole number that is not negative" });
      return 0;
    },
  };
}
