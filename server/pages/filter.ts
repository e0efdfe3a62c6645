import { wholeNumber } from "../../lib/format.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";

/** How many rows a page of a list has. */
export const PAGE = 50;

export function readFilter(params: URLSearchParams) {
  const issues: string[] = [];
  const readText = (name: string) => params.get(name)?.trim() ?? "";
  return {
    issues,
    /** One of several values; the first one if none was given. */
    choice<Value extends string>(name: string, allowed: readonly Value[]): Value {
      const text = readText(name);
      const found = allowed.find((value) => value === text);
      if (found === undefined && text) issues.push(`${name} must be one of ${allowed.join(", ")}`);
      return found ?? allowed[0];
    },
    schedule(): { readonly scheduleId?: number; readonly typed: string } {
      const typed = readText("schedule");
      const scheduleId = readScheduleId(typed);
      if (scheduleId !== null) return { scheduleId, typed };
      if (typed) issues.push(SCHEDULE_ID_RULE);
      return { typed };
    },
    offset(): number {
      const text = readText("offset");
      const offset = wholeNumber(text);
      if (offset !== null && offset >= 0) return offset;
      if (text) issues.push("offset must be a whole number that is not negative");
      return 0;
    },
  };
}
