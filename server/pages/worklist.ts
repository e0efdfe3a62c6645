/** Who should no longer receive a schedule: by decision, or because they left. */
import { actorText } from "../../lib/actor.ts";
import { dayIn } from "../../lib/days.ts";
import { DAY } from "../../lib/time_units.ts";
import { coverageText } from "../schedules/coverage.ts";
import { MAX_EVIDENCE_SCHEDULES } from "../schedules/schedule_id_list.ts";
import type { StoredReceipt } from "../store/people/people_list.ts";
import type { StoredDecision } from "../store/people/recipient_decisions.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { throwIfInvalid } from "../http/problem.ts";
import { PAGE, readFilter } from "./filter.ts";
import { type PageState, requireRecords } from "./page_request.ts";
import { loadNames } from "./people_page.ts";

/** After this time, the worklist points out people who are still listed. */
const WEEK = 7 * DAY;
/** How many leavers the page has. */
const MAX_LEAVERS = 200;

export const WORKLIST_COLUMNS = [
  ...["scheduleId", "schedule", "userId", "displayName", "emailAddress"] as const,
  ...["said", "by", "why", "state", "shownBy"] as const,
];

export async function loadWorklist(
  { services, preferences: { zone } }: PageState,
  params: URLSearchParams,
) {
  const records = requireRecords(services);
  const now = Date.now();
  const read = readFilter(params);
  const start = read.offset();
  throwIfInvalid(read.issues);
  const { receiving, decisions } = await loadAll(records, now);
  const items = decisions.slice(start, start + PAGE);
  const shown = receiving.slice(0, start === 0 ? MAX_LEAVERS : 0);
  const leavers = await loadLeavers(records, shown);
  const scheduleIds = [...receiving, ...decisions].flatMap(({ scheduleId }) => scheduleId ?? []);
  return {
    tasks: await loadTasks(records, items),
    leavers: await Promise.all(leavers.map(async (leaver) => ({
      ...leaver,
      run: await records.people.runAt(leaver.scheduleId, leaver.shownBy),
    }))),
    moreLeavers: start === 0 ? receiving.length - shown.length : 0,
    position: { start, count: items.length, limit: PAGE, total: decisions.length },
    known: await coverageText(records, zone),
    unknown: await records.statuses.unknown(),
    // Those of the whole worklist, or one more than a pack of evidence may have.
    scheduleIds: [...new Set(scheduleIds)].slice(0, MAX_EVIDENCE_SCHEDULES + 1),
    today: dayIn(zone)(now),
  };
}

/** What people who left receive, and who should no longer receive something by decision. */
async function loadAll({ leavers, recipientDecisions }: ObserverRecords, now: number) {
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const receiving = (await leavers.receiving(all, now)).items;
  return { receiving, decisions: (await recipientDecisions.worklist(all, now)).items };
}

async function loadTasks(records: ObserverRecords, decisions: readonly StoredDecision[]) {
  const ids = [...new Set(decisions.flatMap(({ personId }) => personId ?? []))];
  const found = new Map((await records.people.some(ids)).map((person) => [person.id, person]));
  const receipts = Map.groupBy(await records.people.receipts(ids), ({ personId }) => personId);
  const nameOf = await loadNames(records, decisions.map(({ scheduleId }) => scheduleId));
  return decisions.flatMap(({ personId, scheduleId, at, closed, ...decision }) => {
    const person = found.get(personId!);
    if (!person) return [];
    const receipt = receipts.get(person.id)?.find((one) => one.scheduleId === scheduleId);
    const isListed = receipt !== undefined && receipt.last >= at + WEEK;
    return [{
      personId: person.id,
      recipient: person.listed,
      // None of the worklist is about every schedule.
      scheduleId: scheduleId!,
      schedule: nameOf(scheduleId!),
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

/** What people who left still receive. */
async function loadLeavers(
  records: ObserverRecords,
  receiving: readonly Pick<StoredReceipt, "personId" | "scheduleId" | "last">[],
) {
  const people = await records.people.some([...new Set(receiving.map((each) => each.personId))]);
  const nameOf = await loadNames(records, receiving.map(({ scheduleId }) => scheduleId));
  const byId = new Map(people.map((person) => [person.id, person]));
  return receiving.flatMap(({ personId, scheduleId, last }) => {
    const person = byId.get(personId);
    if (!person?.leftAt) return [];
    return [{
      personId,
      recipient: person.listed,
      scheduleId,
      schedule: nameOf(scheduleId),
      said: person.leftAt,
      by: "list of leavers",
      why: "left",
      state: "open",
      shownBy: last,
    }];
  });
}

/** The whole worklist, for a file. */
export async function* worklistRows(records: ObserverRecords) {
  const { receiving, decisions } = await loadAll(records, Date.now());
  yield* (await loadLeavers(records, receiving)).map(fileRow);
  yield* (await loadTasks(records, decisions)).map(fileRow);
}

function fileRow(
  { recipient, said, shownBy, run: _, ...task }:
    & Omit<Awaited<ReturnType<typeof loadTasks>>[number], "run">
    & { readonly run?: number | null },
) {
  return {
    ...recipient,
    ...task,
    said: new Date(said).toISOString(),
    shownBy: shownBy === null ? null : new Date(shownBy).toISOString(),
  };
}
