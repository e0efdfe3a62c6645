/** Filters of the lists of incidents and deliveries, as their links and forms have them. */
import { wholeNumber } from "../../../server/config/whole_number.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";

/** Reads a filter; what is wrong with it is collected in `issues`. */
export function readFilter(params: URLSearchParams) {
  const issues: string[] = [];
  const textOf = (name: string) => params.get(name)?.trim() ?? "";
  return {
    issues,
    /** One of several values, or the first without any. */
    choice<Value extends string>(name: string, allowed: readonly Value[]): Value {
      const text = textOf(name);
      const found = allowed.find((value) => value === text);
      if (found === undefined && text) issues.push(`${name} must be one of ${allowed.join(", ")}`);
      return found ?? allowed[0];
    },
    /** A schedule, and the text as it was typed. */
    schedule(): { readonly scheduleId?: number; readonly typed: string } {
      const typed = textOf("schedule");
      const scheduleId = readScheduleId(typed);
      if (scheduleId !== null) return { scheduleId, typed };
      if (typed) issues.push("Schedule id must be a whole number, such as 102");
      return { typed };
    },
    /** Where the page begins. */
    offset(): number {
      const text = textOf("offset");
      const offset = wholeNumber(text);
      if (offset !== null && offset >= 0) return offset;
      if (text) issues.push("offset must be a whole number that is not negative");
      return 0;
    },
  };
}

/** What is said in place of a list whose filter is not valid. */
export function invalidFilter(issues: readonly string[]) {
  return { title: "This filter is not valid", detail: "Please fix:", issues };
}
