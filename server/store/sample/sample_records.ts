/** What comes with the sample in the records, and leaves with it unless somebody changed it. */
import type { Actor } from "../../../lib/actor.ts";
import { addDays, dayIn } from "../../../lib/days.ts";
import { domainOf } from "../../../lib/runs/recipients.ts";
import type { Transaction } from "../database/database.ts";
import { sql, texts } from "../database/sql.ts";
import { watchEvent } from "../records/events.ts";
import type { ObserverRecords } from "../records/observer_records.ts";
import { nameKey } from "../text.ts";
import { PARTNER, SUBSIDIARY } from "./people.ts";
import { STORIES } from "./sample_runs.ts";

const ACTOR: Actor = { name: "Ada Byron", known: "typed" };

/** The schedules of each owner; the others have none. */
const OWNERS: Readonly<Record<string, readonly number[]>> = {
  Finance: [101, 110, 112],
  Operations: [103, 105, 106, 108],
};

const CALENDAR = "Stocktaking";
const COUNTED = 103;
/** Days before today without runs of the schedule in the story "missed". */
const DAYS_AGO: readonly number[] = [21, 20, 19];

/** Watches the sample's schedules, with two owners, a calendar and decisions. */
export async function watchSample(records: ObserverRecords, now: number): Promise<void> {
  await expectRecipients(records, now);
  const { calendars, owners, watches } = records;
  for (const name of Object.keys(OWNERS)) {
    await owners.save({ name, quiet: null, changed: now, actor: ACTOR }, {});
  }
  const days = DAYS_AGO.map((count) => addDays(dayIn("UTC")(now), -count));
  await calendars.save({
    name: CALENDAR,
    days,
    scheduleIds: [COUNTED],
    changed: now,
    actor: ACTOR,
  });
  for (const { scheduleId } of STORIES) {
    const [owner = ""] = Object.entries(OWNERS).find(([, ids]) => ids.includes(scheduleId)) ?? [];
    const watched = watchEvent("watched", { scheduleId, actor: ACTOR, now });
    await watches.add([scheduleId], now, { owner }, [watched]);
  }
}

/** Records that the partner and the subsidiary are expected recipients. */
async function expectRecipients(
  { people, recipientDecisions }: Pick<ObserverRecords, "people" | "recipientDecisions">,
  now: number,
): Promise<void> {
  const personId = await people.find(PARTNER.userId);
  if (personId === undefined) return;
  const [{ emailAddress }] = SUBSIDIARY;
  await recipientDecisions.add([
    { personId, domain: null, why: "Carries our freight, and has to know of incidents" },
    { personId: null, domain: domainOf(emailAddress)!, why: "Our subsidiary" },
  ].map((decision) => ({
    ...decision,
    scheduleId: null,
    expected: 1,
    actor: ACTOR,
    at: now,
    until: null,
  })));
}

/** Removes the sample's owners and calendar. Its decisions are removed with the runs. */
export async function forgetSampleRecords({ write }: Transaction): Promise<void> {
  const unchanged = sql`actor = ${JSON.stringify(ACTOR)}`;
  await write(sql`DELETE FROM calendars WHERE key = ${nameKey(CALENDAR)} AND ${unchanged}`);
  const names = texts(Object.keys(OWNERS).map(nameKey));
  await write(
    sql`DELETE FROM owners WHERE key IN ${names} AND ${unchanged}
      AND NOT EXISTS (SELECT 1 FROM channels WHERE owner_key = owners.key)`,
  );
}
