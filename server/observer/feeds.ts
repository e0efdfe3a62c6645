/** Feeds for programs that people read: incidents as Atom, expected runs as a calendar. */
import ical from "ical-generator";
import { maskAddresses } from "../../lib/runs/mask.ts";
import { inTimeUntilEach, planSlots } from "../../lib/runs/plans/plan.ts";
import { sameSecret } from "../auth/same_secret.ts";
import type { Records } from "../store/observer/records.ts";
import { eventOf } from "./event.ts";
import { summaryOf } from "./words.ts";

/** The feeds, by the names of their documents. */
export const FEEDS = ["incidents.atom", "runs.ics"] as const;
export type Feed = typeof FEEDS[number];

/** A feed as it is sent. */
export interface FeedText {
  readonly contentType: string;
  readonly text: string;
}

const DAY = 24 * 3_600_000;
/** How far the calendar goes, and how many runs of a schedule it shows at most. */
const CALENDAR_DAYS = 14;
const MOST_RUNS = 200;
const MOST_INCIDENTS = 100;

/** The secret in a feed's link, made when it is first asked for. */
export function feedSecret(records: Records, feed: Feed): Promise<string> {
  return records.values.keepText(`feed/${feed}`, newSecret());
}

/** Makes a feed's link anew: the one before leads nowhere from then on. */
export async function renewFeedSecret(records: Records, feed: Feed): Promise<void> {
  await records.values.setText(`feed/${feed}`, newSecret());
}

/** Whether a link's secret is the feed's. */
export async function isFeedSecret(records: Records, feed: Feed, secret: string): Promise<boolean> {
  const kept = await records.values.text(`feed/${feed}`);
  return kept !== undefined && await sameSecret(secret, kept);
}

function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toHex();
}

/** The newest incidents as Atom (RFC 4287). */
export async function incidentFeed(records: Records, origin: string): Promise<FeedText> {
  const [{ items }, watches] = await Promise.all([
    records.incidents.list({ limit: MOST_INCIDENTS }),
    records.watches.list(),
  ]);
  const names = new Map(watches.map(({ scheduleId, name }) => [scheduleId, name]));
  const entries = items.map((incident) => {
    const { opened, resolved, scheduleId, id } = incident;
    const event = eventOf(incident, {
      type: resolved === null ? "incident.opened" : "incident.resolved",
      at: resolved ?? opened,
      scheduleName: names.get(scheduleId ?? NaN) ?? "",
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
  const text = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    "<title>Incidents of report schedules</title>",
    `<id>${escaped(origin)}/incidents</id>`,
    `<link href="${escaped(origin)}/incidents"/>`,
    `<updated>${isoText(updated)}</updated>`,
    "<author><name>Docket</name></author>",
    ...entries.map(({ id, summary, url, opened, updated }) =>
      `<entry><title>${escaped(summary)}</title><id>urn:docket:incident:${
        encodeURIComponent(id)
      }</id>` +
      `<link href="${escaped(url)}"/><published>${isoText(opened)}</published>` +
      `<updated>${isoText(updated)}</updated></entry>`
    ),
    "</feed>",
  ].join("\n");
  return { contentType: "application/atom+xml; charset=utf-8", text };
}

/** The runs that are expected in the next two weeks as iCalendar (RFC 5545). */
export async function runFeed(records: Records, origin: string, now: number): Promise<FeedText> {
  const [watches, verdicts] = await Promise.all([records.watches.list(), records.verdicts.list()]);
  const plans = new Map(verdicts.map(({ scheduleId, details }) => [scheduleId, details.plan]));
  const calendar = ical({ name: "Expected report runs" });
  for (const { scheduleId, name, plan: confirmed } of watches) {
    const plan = confirmed ?? plans.get(scheduleId);
    if (!plan) continue;
    const title = maskAddresses(`Report ${scheduleId}${name ? ` ${name}` : ""}`);
    const slots = planSlots(plan, now, now + CALENDAR_DAYS * DAY).slice(0, MOST_RUNS);
    const ends = inTimeUntilEach(plan, slots);
    for (const [place, slot] of slots.entries()) {
      calendar.createEvent({
        id: `${scheduleId}-${slot}@docket`,
        stamp: new Date(now),
        start: new Date(slot),
        end: new Date(ends[place]),
        summary: confirmed ? title : `${title} (inferred)`,
        url: `${origin}/schedules/${scheduleId}`,
      });
    }
  }
  return { contentType: "text/calendar; charset=utf-8", text: calendar.toString() };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text within XML, without the characters that XML can't have. */
function escaped(text: string): string {
  // deno-lint-ignore no-control-regex
  const possible = text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, " ");
  return possible.replace(/[&<>"]/g, (character) => ENTITIES[character]);
}

function isoText(moment: number): string {
  return new Date(moment).toISOString();
}
