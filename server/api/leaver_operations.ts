/** People who left. */
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { clearLeavers, saveLeavers } from "../actions/save_leavers.ts";
import { throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import {
  flag,
  integer,
  type JsonOf,
  list,
  named,
  nullable,
  optional,
  record,
  text,
} from "../http/shape.ts";
import { PEOPLE_COLUMNS, readLeaver } from "../schedules/schedule_file.ts";
import type { Leaver } from "../store/people/leavers.ts";
import { listOperation, operation } from "./operation.ts";

const PERSON = {
  userId: nullable(integer()),
  emailAddress: nullable(text({ max: 1000 })),
  left: nullable(text({ description: "The last day, such as 2026-09-30" })),
};
const LEAVER = named("Leaver", record(PERSON));
const LISTED = record({
  userId: optional(PERSON.userId),
  emailAddress: optional(PERSON.emailAddress),
  left: optional(PERSON.left),
});
const COUNT = integer({ min: 0 });
const MAX_PEOPLE = 10_000;

const PATH = "/leavers";

export const LEAVER_OPERATIONS = [
  listOperation(PATH, "listLeavers", {
    summary: "People who left",
    description: "Addresses are masked.",
    item: LEAVER,
    async load({ services: { records } }, page) {
      const { items, total } = await records.leavers.page(page);
      const shown = items.map(({ userId, address, leftAt }) => ({
        userId,
        emailAddress: address && maskAddresses(address),
        left: new Date(leftAt - 1).toISOString().slice(0, 10),
      }));
      return { items: shown, total };
    },
  }),
  operation("POST", PATH, "addLeavers", {
    summary: "Add people who left",
    description: "With staff, the list is of all who are still there, and everybody else at home " +
      "who receives reports has left. Without a day, people left now.",
    query: { staff: optional(flag({ default: false })) },
    body: record({ people: list(LISTED, { max: MAX_PEOPLE }) }),
    csv: {
      description: `The columns ${PEOPLE_COLUMNS.join(", ")}; a row has a user id or an address`,
      handle: ({ query, services, acting }, file) =>
        saveLeavers(services, { people: file, isStaff: query.staff ?? false }, acting),
    },
    answer: record({ listed: COUNT, receiving: COUNT }),
    handle: ({ body, query, services, acting }) =>
      saveLeavers(services, {
        people: readPeople(body.people, acting.now),
        isStaff: query.staff ?? false,
      }, acting),
  }),
  operation("DELETE", PATH, "clearLeavers", {
    summary: "Remove all people who left",
    description: "Nobody counts as having left then.",
    handle: ({ services, acting }) => clearLeavers(services, acting),
  }),
];

function readPeople(people: readonly JsonOf<typeof LISTED>[], now: number): readonly Leaver[] {
  const faults: ValidationIssue[] = [];
  const leavers = people.flatMap(({ userId, emailAddress, left }, at) => {
    try {
      const cells = { userId: String(userId ?? ""), emailAddress: emailAddress ?? "" };
      return [readLeaver({ ...cells, left: left ?? "" }, now)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push({ pointer: `/people/${at}`, detail: error.message });
      return [];
    }
  });
  throwIfInvalid(faults);
  return leavers;
}
