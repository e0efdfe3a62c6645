/** Who should no longer receive a schedule: by decision, or because they left. */
import { actorText } from "../../lib/actor.ts";
import { DAY } from "../../lib/time_units.ts";
import { coverageText } from "../schedules/coverage.ts";
import type { StoredDecision } from "../store/people/recipient_decisions.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { PAGE, readFilter } from "./filter.ts";
import { type PageState, recordsOf } from "./page_request.ts";
import { countPending, namesOf } from "./people_page.ts";

/** After this time, the worklist points out people who are still listed. */
const WEEK = 7 * DAY;
const MAX_LEAVERS = 200;

export const WORKLIST_COLUMNS = [
  ...["scheduleId", "schedule", "userId", "displayName", "emailAddress"] as const,
  ...["said", "by", "why", "state", "shownBy"] as const,
];

export async function loadWorklist(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const records = recordsOf(services);
  await countPending(records);
  const start = readFilter(params).offset();
  const page = { limit: PAGE, offset: start };
  const { items, total } = await records.recipientDecisions.worklist(page);
  return {
    tasks: await tasksOf(records, items),
    leavers: start === 0 ? await leaversOf(records) : [],
    position: { start, count: items.length, limit: PAGE, total },
    known: await coverageText(records, zone),
  };
}

async function tasksOf(records: ObserverRecords, decisions: readonly StoredDecision[]) {
  const ids = [...new Set(decisions.flatMap(({ personId }) => personId ?? []))];
  const found = new Map((await records.people.some(ids)).map((person) => [person.id, person]));
  const receipts = await records.people.receipts(ids);
  const nameOf = await namesOf(records, decisions.map(({ scheduleId }) => scheduleId));
  return decisions.flatMap(({ personId, scheduleId, at, closed, ...decision }) => {
    const person = found.get(personId!);
    if (!person || scheduleId === null) return [];
    const receipt = receipts.find((one) =>
      one.personId === personId && one.scheduleId === scheduleId
    );
    const isListed = receipt !== undefined && receipt.last >= at + WEEK;
    return [{
      personId: person.id,
      recipient: person.listed,
      scheduleId,
      schedule: nameOf(scheduleId),
      said: at,
      by: actorText(decision.actor),
      why: decision.why,
      state: closed !== null ? "done" : isListed ? "still listed after a week" : "open",
      // When the run that proves the state started, if there is one.
      shownBy: closed ?? (isListed ? receipt.last : null),
      run: decision.closedRun,
    }];
  });
}

/** What people who left still receive, unless it is decided already. */
async function leaversOf(records: ObserverRecords) {
  const now = Date.now();
  const filter = { group: "left", home: [""], newDomains: [], now } as const;
  const people = await records.people.list(filter, { limit: MAX_LEAVERS });
  const ids = people.map(({ id }) => id);
  const receipts = (await records.people.receipts(ids)).filter(({ receiving }) => receiving > 0);
  const decisions = await records.recipientDecisions.about(ids, [], now);
  const nameOf = await namesOf(records, receipts.map(({ scheduleId }) => scheduleId));
  const byId = new Map(people.map((person) => [person.id, person]));
  const open = receipts.filter(({ personId, scheduleId }) =>
    !decisions.some((one) =>
      one.personId === personId && (one.scheduleId ?? scheduleId) === scheduleId
    )
  );
  return await Promise.all(open.map(async ({ personId, scheduleId, last }) => {
    const { listed, leftAt } = byId.get(personId)!;
    return {
      personId,
      recipient: listed,
      scheduleId,
      schedule: nameOf(scheduleId),
      said: leftAt ?? now,
      by: "list of leavers",
      why: "left",
      state: "open",
      shownBy: last,
      run: await records.people.runAt(scheduleId, last),
    };
  }));
}

/** The whole worklist, for a file. */
export async function* worklistRows(records: ObserverRecords) {
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const { items } = await records.recipientDecisions.worklist(all);
  yield* (await leaversOf(records)).map(fileRow);
  yield* (await tasksOf(records, items)).map(fileRow);
}

function fileRow(
  { recipient, said, shownBy, run: _, ...task }: Awaited<ReturnType<typeof tasksOf>>[number],
) {
  return {
    ...recipient,
    ...task,
    said: new Date(said).toISOString(),
    shownBy: shownBy === null ? null : new Date(shownBy).toISOString(),
  };
}
