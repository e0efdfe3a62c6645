import type { ObserverRecords } from "../observer/observer_records.ts";
import { PARTNER } from "./people.ts";

/** Says in the sample that the partner is expected. */
export async function expectPartner(
  { receipts, people, recipientDecisions }: ObserverRecords,
  now: number,
): Promise<void> {
  for (const scheduleId of await receipts.uncounted(100)) await receipts.count(scheduleId);
  const personId = await people.find(PARTNER.userId);
  if (personId === undefined) return;
  await recipientDecisions.add([{
    personId,
    domain: null,
    scheduleId: null,
    expected: 1,
    why: "Carries our freight, and has to know of incidents",
    actor: { name: "Ada Byron", known: "typed" },
    at: now,
    until: null,
  }]);
}
