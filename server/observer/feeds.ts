/** Feeds: incidents as Atom, and expected runs as a calendar. */
import { setImmediate as turn } from "node:timers/promises";
import ical, { type ICalEventData } from "ical-generator";
import { dayIn } from "../../lib/days.ts";
import { DAY, MINUTE } from "../../lib/time_units.ts";
import { maskAddresses } from "../../lib/runs/recipients.ts";
import { withoutDirections } from "../../lib/terminal.ts";
import { graceEndsOf, type Plan, planSlots } from "../../lib/judgement/plans/plan.ts";
import { sameSecret } from "../auth/sealing.ts";
import type { StreamedText } from "../http/text_response.ts";
import type { PlannedSchedule } from "../store/observer/overview.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { daysWithoutRuns } from "../store/observer/calendars.ts";
import { setText } from "../store/observer/values.ts";
import { eventOf, isoText } from "./event.ts";
import { escapeMarkup } from "./markup.ts";
import { momentText, summaryOf } from "./words.ts";

export const FEEDS = ["incidents.atom", "runs.ics"] as const;
export type Feed = typeof FEEDS[number];

const CALENDAR_DAYS = 14;
/** The most runs of one schedule in the calendar. */
const MAX_RUNS = 200;
/** The most runs of all schedules together, some 5 MB. */
const MAX_EVENTS = 20_000;
/** Schedules or events between pauses in which other requests are answered. */
const BATCH = 50;
const MAX_INCIDENTS = 100;

export function feedSecret(records: ObserverRecords, feed: Feed): Promise<string> {
  return records.values.getOrStoreText(`feed/${feed}`, newSecret());
}

export async function renewFeedSecret(records: ObserverRecords, feed: Feed): Promise<void> {
  await records.commit([setText(`feed/${feed}`, newSecret())]);
}

export async function isFeedSecret(
  records: ObserverRecords,
  feed: Feed,
  secret: string,
): Promise<boolean> {
  const stored = await records.values.text(`feed/${feed}`);
  return stored !== undefined && sameSecret(secret, stored);
}

function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toHex();
}

interface FeedServices {
  readonly records: ObserverRecords;
  readonly origin: string;
  readonly now: number;
}

export function feedText(feed: Feed, about: FeedServices): StreamedText {
  return feed === "runs.ics"
    ? { contentType: "text/calendar; charset=utf-8", pieces: calendar(about) }
    : { contentType: "application/atom+xml; charset=utf-8", pieces: incidents(about) };
}

/** The newest incidents as Atom (RFC 4287). */
async function* incidents({ records, origin }: FeedServices): AsyncGenerator<string> {
  const { items } = await records.incidents.list({ limit: MAX_INCIDENTS });
  const facts = await records.overview.facts(items.map(({ scheduleId }) => scheduleId));
  const entries = items.map((incident) => {
    const { opened, resolved, scheduleId, id } = incident;
    const event = eventOf(incident, {
      type: resolved === null ? "incident.opened" : "incident.resolved",
      at: resolved ?? opened,
      facts: facts.get(scheduleId ?? NaN),
      origin,
    });
    return {
      id,
      summary: summaryOf(event),
      url: event.data.url,
      opened,
      updated: resolved ?? opened,
    };
  });
  const updated = entries.reduce((latest, each) => Math.max(latest, each.updated), 0);
  yield [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    "<title>Incidents of report schedules</title>",
    `<id>${escapeMarkup(origin)}/incidents</id>`,
    `<link href="${escapeMarkup(origin)}/incidents"/>`,
    `<updated>${isoText(updated)}</updated>`,
    "<author><name>Docket</name></author>",
    ...entries.map(({ id, summary, url, opened, updated }) =>
      `<entry><title>${escapeMarkup(summary)}</title><id>urn:docket:incident:${
        encodeURIComponent(id)
      }</id>` +
      `<link href="${escapeMarkup(url)}"/><published>${isoText(opened)}</published>` +
      `<updated>${isoText(updated)}</updated></entry>`
    ),
    "</feed>",
  ].join("\n");
}

interface ExpectedRuns extends PlannedSchedule {
  readonly slots: readonly number[];
}

/** The expected runs of the next two weeks, or less if there are many schedules (RFC 5545). */
async function* calendar({ records, origin, now }: FeedServices): AsyncGenerator<string> {
  const schedules: ExpectedRuns[] = [];
  const calendars = await records.calendars.list();
  for (const schedule of (await Array.fromAsync(records.overview.plans())).flat()) {
    const excluded = new Set(daysWithoutRuns(calendars, schedule.scheduleId));
    schedules.push({ ...schedule, slots: expectedSlots(schedule.plan, excluded, now) });
    if (schedules.length % BATCH === 0) await turn();
  }
  const end = endOfCalendar(schedules, now);
  const empty = calendarText([], calendarDescription(end, now));
  const endIndex = empty.lastIndexOf("END:VCALENDAR");
  yield empty.slice(0, endIndex);
  for (const schedule of schedules) {
    const slots = schedule.slots.filter((slot) => slot < end);
    for (let from = 0; from < slots.length; from += BATCH) {
      const batch = { ...schedule, slots: slots.slice(from, from + BATCH) };
      const events = eventsOf(batch, origin, now);
      const text = calendarText(events, "");
      yield text.slice(text.indexOf("BEGIN:VEVENT"), text.lastIndexOf("END:VCALENDAR"));
      await turn();
    }
  }
  yield empty.slice(endIndex);
}

function expectedSlots(
  plan: Plan,
  excluded: ReadonlySet<string>,
  now: number,
): readonly number[] {
  const slots: number[] = [];
  const dayOf = dayIn(plan.zone);
  // Day by day, because one day of a plan that is due every minute already has too many runs.
  for (let day = 0; day < CALENDAR_DAYS && slots.length < MAX_RUNS; day++) {
    const planned = planSlots(plan, now + day * DAY, now + (day + 1) * DAY);
    slots.push(...planned.filter((slot) => excluded.size === 0 || !excluded.has(dayOf(slot))));
  }
  return slots.slice(0, MAX_RUNS);
}

/** The minute until which all expected runs fit into the calendar; at least the next minute. */
function endOfCalendar(schedules: readonly ExpectedRuns[], now: number): number {
  const runs = new Array<number>(CALENDAR_DAYS * DAY / MINUTE).fill(0);
  for (const { slots } of schedules) {
    for (const slot of slots) runs[Math.floor((slot - now) / MINUTE)]++;
  }
  let sum = 0;
  const minute = runs.findIndex((count) => (sum += count) > MAX_EVENTS);
  return now + MINUTE * (minute < 0 ? runs.length : Math.max(1, minute));
}

function calendarDescription(end: number, now: number): string {
  const each = `At most ${MAX_RUNS} runs of each schedule are shown.`;
  return end === now + CALENDAR_DAYS * DAY
    ? `Expected runs of the next ${CALENDAR_DAYS} days. ${each}`
    : `Expected runs until ${
      momentText(end)
    }: later ones are left out, because there are too many. ` +
      each;
}

function calendarText(events: readonly ICalEventData[], description: string): string {
  return `${ical({ name: "Expected report runs", description, events: [...events] })}`;
}

function eventsOf(
  { scheduleId, name, plan, isConfirmed, slots }: ExpectedRuns,
  origin: string,
  now: number,
): readonly ICalEventData[] {
  const title = withoutDirections(maskAddresses(`Report ${scheduleId}${name && ` ${name}`}`));
  const ends = graceEndsOf(plan, slots);
  return slots.map((slot, index) => ({
    id: `${scheduleId}-${slot}@docket`,
    stamp: new Date(now),
    start: new Date(slot),
    end: new Date(ends[index]),
    summary: isConfirmed ? title : `${title} (inferred)`,
    url: `${origin}/schedules/${scheduleId}`,
  }));
}
