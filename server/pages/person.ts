/** The page of a person: what they received, and what was decided about it. */
import { addDays, startOfDay } from "../../lib/days.ts";
import { wholeNumber } from "../../lib/format.ts";
import { actorText } from "../../lib/actor.ts";
import type { RecipientDecision } from "../actions/decide_recipient.ts";
import { invalidRequest, ProblemError } from "../http/problem.ts";
import { coverageText } from "../schedules/coverage.ts";
import { domainsNow } from "../schedules/recipient_facts.ts";
import { type PageState, requireRecords } from "./page_request.ts";
import { loadNames, shownPeople } from "./people_page.ts";

const MAX_SCHEDULES = 200;

export async function loadPerson(
  { services, preferences: { zone } }: PageState,
  personId: string,
) {
  const records = requireRecords(services);
  const { people } = records;
  const stored = await people.get(wholeNumber(personId) ?? -1);
  if (!stored) throw new ProblemError(404, "There is no such person");
  const receipts = await people.receipts([stored.id]);
  const context = await domainsNow(records, services.settings, Date.now());
  const { recipientDecisions } = records;
  const [
    [person],
    listings,
    nameOf,
    decisions,
    withdrawn,
    retainedSince,
    unknown,
  ] = await Promise.all([
    shownPeople(records, [stored], context),
    people.listings(stored.id),
    loadNames(records, receipts.map(({ scheduleId }) => scheduleId)),
    recipientDecisions.about([stored.id], [stored.domain ?? ""], context.now),
    recipientDecisions.withdrawn(stored.id),
    records.retention.retainedSince(),
    records.statuses.unknown(),
  ]);
  const subjectName = (scheduleId: number | null) =>
    scheduleId === null ? "every schedule" : nameOf(scheduleId);
  const decidedOn = (scheduleId: number) => {
    const one = decisions.find((each) =>
      each.closed === null && (each.scheduleId ?? scheduleId) === scheduleId
    );
    return one && (one.expected === 1 ? "Expected" : "Not expected");
  };
  const rows = await Promise.all(
    receipts.slice(0, MAX_SCHEDULES).map(async (receipt) => ({
      ...receipt,
      name: nameOf(receipt.scheduleId),
      firstRun: await people.runAt(receipt.scheduleId, receipt.first),
      lastRun: await people.runAt(receipt.scheduleId, receipt.last),
      decision: decidedOn(receipt.scheduleId),
      // Earlier runs may not have been read: they may have listed the person too.
      isAtLeast: retainedSince !== undefined && receipt.fromStart === 1,
    })),
  );
  const addresses = listings.flatMap(({ emailAddress }) => emailAddress || []);
  return {
    person,
    unknown,
    known: await coverageText(records, zone),
    /** The domain, if everybody there can be expected at once; null if it is inside. */
    domain: person.isOutside ? stored.domain : null,
    addresses: [...new Set(addresses)],
    rows,
    more: receipts.length - rows.length,
    decisions: decisions.map(({ actor, scheduleId, ...decision }) => ({
      ...decision,
      by: actorText(actor),
      on: subjectName(scheduleId),
    })),
    withdrawn: withdrawn.map(({ actor, endedBy, scheduleId, ...decision }) => ({
      ...decision,
      by: actorText(actor),
      withdrawnBy: actorText(endedBy),
      on: subjectName(scheduleId),
    })),
  };
}

/**
 * The decision in a form.
 *
 * @throws {ProblemError} With status 400, of the field `until` if that day is invalid or over
 */
export function readDecision(
  form: URLSearchParams,
  personId: number,
  zone: string,
): RecipientDecision {
  const [on, day] = [form.get("on") ?? "", form.get("until") ?? ""];
  const expected = form.get("expected") ?? "";
  if (!["true", "false"].includes(expected) || !/^(domain|\d*)$/.test(on)) {
    throw new ProblemError(400, "There is no such decision");
  }
  const end = day === "" ? null : startOfDay(day, zone) && startOfDay(addDays(day, 1), zone);
  if (day !== "" && !(end && end > Date.now())) {
    throw invalidRequest([{ pointer: "/until", detail: "must be today or later" }]);
  }
  return {
    personId,
    expected: expected === "true",
    on: on === "domain" ? on : wholeNumber(on) ?? "all",
    note: form.get("note") ?? "",
    until: end ?? null,
  };
}
