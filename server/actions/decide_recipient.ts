/** Decides whether a recipient is expected, and withdraws decisions. */
import { ProblemError, throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { textIssue } from "../http/shape.ts";
import type { StoredReceipt } from "../store/people/people_list.ts";
import type { NewDecision } from "../store/people/recipient_decisions.ts";
import type { Acting } from "../store/records/events.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import type { ActionServices } from "./action_services.ts";

type Records = Pick<ActionServices, "records">;

export interface RecipientDecision {
  readonly personId: number;
  readonly expected: boolean;
  /** One schedule, all of them, or, if it is expected, everybody at the person's domain. */
  readonly on: number | "all" | "domain";
  readonly note: string;
  /** When the decision ends, in milliseconds since 1970; null for never. */
  readonly until: number | null;
}

/**
 * Records a decision, which replaces the one before on the same subject. The schedules are judged again.
 *
 * @throws {ProblemError} With the pointers `/on`, `/note` and `/until`, or status 404
 */
export function decideRecipient(
  { records }: Records,
  decision: RecipientDecision,
  acting: Acting,
): Promise<void> {
  // Who receives what must not change meanwhile.
  return records.alone("runs", (records) => decide(records, decision, acting));
}

async function decide(
  records: ObserverRecords,
  { personId, expected, on, note, until }: RecipientDecision,
  { actor, now }: Acting,
): Promise<void> {
  const { domain, receipts } = await loadRecipient(records, personId);
  const issues: ValidationIssue[] = [];
  if (on === "domain" && !(expected && domain !== null)) {
    const detail = "must be a schedule or all: only those who are expected share a domain";
    issues.push({ pointer: "/on", detail });
  }
  if (typeof on === "number") {
    const receipt = receipts.find(({ scheduleId }) => scheduleId === on);
    if (!receipt) {
      issues.push({ pointer: "/on", detail: "must be a schedule that this person received" });
    } else if (!expected && !receipt.receiving) {
      const detail = "must be a schedule that this person still receives";
      issues.push({ pointer: "/on", detail });
    }
  }
  const issue = textIssue(note, MAX_CHARACTERS.note);
  if (issue) issues.push({ pointer: "/note", detail: issue });
  if (until !== null && until <= now) {
    issues.push({ pointer: "/until", detail: "must be a time in the future" });
  }
  throwIfInvalid(issues);
  const decision: NewDecision = {
    expected: expected ? 1 : 0,
    actor,
    until,
    why: note.trim(),
    at: now,
    personId,
    domain: null,
    scheduleId: null,
  };
  const { add, judgeAgain } = records.recipientDecisions;
  await add(decisionsOn(on, decision, domain, receipts));
  await judgeAgain({ ...decision, domain });
}

/** @throws {ProblemError} With status 404 if this person has no such decision */
export function withdrawDecision(
  { records }: Records,
  { personId, decisionId }: { readonly personId: number; readonly decisionId: number },
  acting: Acting,
): Promise<void> {
  const { now } = acting;
  return records.alone("runs", async (records) => {
    const { domain } = await loadRecipient(records, personId);
    const { about, withdraw, judgeAgain } = records.recipientDecisions;
    const current = await about([personId], [domain ?? ""], now);
    const found = current.find(({ id }) => id === decisionId);
    if (!found) throw new ProblemError(404, "There is no such decision");
    await withdraw(found, acting);
    await judgeAgain({ ...found, personId, domain, at: now });
  });
}

async function loadRecipient({ people }: Pick<ObserverRecords, "people">, personId: number) {
  const person = await people.get(personId);
  if (!person) throw new ProblemError(404, "There is no such person");
  return { domain: person.domain, receipts: await people.receipts([personId]) };
}

function decisionsOn(
  on: RecipientDecision["on"],
  decision: NewDecision,
  domain: string | null,
  receipts: readonly StoredReceipt[],
): readonly NewDecision[] {
  if (on === "domain") return [{ ...decision, personId: null, domain }];
  if (on !== "all" && decision.expected === 1) return [{ ...decision, scheduleId: on }];
  // The worklist has an entry for each schedule that they still receive.
  const received = receipts.filter(({ scheduleId, receiving }) =>
    decision.expected === 0 && receiving && (on === "all" || scheduleId === on)
  );
  // A decision about all schedules ends earlier ones.
  return [
    ...on === "all" ? [decision] : [],
    ...received.map(({ scheduleId }) => ({ ...decision, scheduleId })),
  ];
}
