import { PEOPLE_GROUPS, type PeopleGroup } from "../store/people/people_list.ts";
import { filterText } from "../../lib/filter_text.ts";
import { readFilter } from "./filter.ts";

export interface PeopleLink {
  readonly group: PeopleGroup;
  readonly text?: string;
  /** Only people who received this schedule. */
  readonly scheduleId?: number;
}

export function readPeopleLink(params: URLSearchParams) {
  const read = readFilter(params);
  const group = read.choice("group", PEOPLE_GROUPS);
  const offset = read.offset();
  const { scheduleId } = read.schedule();
  const text = filterText(params, "q");
  if (text.includes("@")) read.issues.push("an address must not be in a link: type it instead");
  const link: PeopleLink = {
    group,
    ...text && { text },
    ...scheduleId !== undefined && { scheduleId },
  };
  return { link, offset, issues: read.issues };
}

/** The parameters of a list of people. The schedule is in the path instead. */
export function peopleParams(
  { group, text }: PeopleLink,
  offset = 0,
): URLSearchParams {
  const params = new URLSearchParams();
  if (group !== "all") params.set("group", group);
  if (text) params.set("q", text);
  if (offset > 0) params.set("offset", String(offset));
  return params;
}
