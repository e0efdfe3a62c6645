import { wholeNumber } from "../../lib/format.ts";
import { ProblemError } from "../http/problem.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";

/** How many rows a page of a list has. */
export const PAGE = 50;

/** What a link filters a list by. Each part throws a problem with status 400 if it is not valid. */
export function readFilter(params: URLSearchParams) {
  const readText = (name: string) => params.get(name)?.trim() ?? "";
  return {
    /** One of several values; the first one if none was given. */
    choice<Value extends string>(name: string, allowed: readonly Value[]): Value {
      const text = readText(name);
      const found = text ? allowed.find((value) => value === text) : allowed[0];
      if (found !== undefined) return found;
      throw invalidLink(`${name} must be one of ${allowed.join(", ")}`);
    },
    /** The id of the only schedule to list; undefined if all are. */
    schedule(): number | undefined {
      const text = readText("schedule");
      const scheduleId = readScheduleId(text);
      if (scheduleId === null && text) throw new ProblemError(400, SCHEDULE_ID_RULE);
      return scheduleId ?? undefined;
    },
    offset(): number {
      const text = readText("offset");
      const offset = text ? wholeNumber(text) : 0;
      if (offset !== null && offset >= 0) return offset;
      throw invalidLink("offset must be a whole number that is not negative");
    },
  };
}

function invalidLink(detail: string): ProblemError {
  return new ProblemError(400, `In this link, ${detail}`);
}
