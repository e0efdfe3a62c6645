/** Owners with their channels, and calendars. */
import { removeCalendar, saveCalendar } from "../actions/save_calendar.ts";
import { removeOwner, saveOwner } from "../actions/save_owner.ts";
import { testChannels } from "../actions/test_channels.ts";
import {
  choice,
  flag,
  integer,
  list,
  named,
  nullable,
  optional,
  record,
  text,
} from "../http/shape.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../store/records/owners.ts";
import { listOperation, operation } from "./operation.ts";
import { SCHEDULE_IDS } from "./schedule_operations.ts";

const KIND = choice(CHANNEL_KINDS);
const QUIET = {
  from: text({ description: "Such as 20:00" }),
  to: text({ description: "Such as 07:00" }),
  zone: text({ description: "Such as Europe/Berlin" }),
};
const OWNER = named(
  "Owner",
  record({
    name: text(),
    channels: list(record({ kind: KIND, hint: text({ description: "Where it leads, masked" }) })),
    quiet: nullable(record({ ...QUIET, holdsCritical: flag() })),
    schedules: integer({ min: 0, description: "How many name this owner" }),
    openIncidents: integer({ min: 0 }),
  }),
);
const CHANNEL = optional(nullable(text({ max: 4000, description: "Null removes it" })));
const CHANNELS = Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, CHANNEL])) as Readonly<
  Record<ChannelKind, typeof CHANNEL>
>;
const CALENDAR = named(
  "Calendar",
  record({
    name: text(),
    days: list(text({ format: "date" })),
    scheduleIds: nullable(list(integer({ min: 0 }), { description: "Null for all schedules" })),
  }),
);
const ONE_OWNER = { owner: text({ description: "Its name" }) };
const ONE_CALENDAR = { calendar: text({ description: "Its name" }) };

export const OWNER_OPERATIONS = [
  listOperation("/owners", "listOwners", {
    summary: "List owners",
    description: "Teams and people who are notified of incidents of their schedules.",
    item: OWNER,
    async load({ services: { records } }, page) {
      const [owners, schedules] = await Promise.all([
        records.owners.list(),
        records.owners.schedules(),
      ]);
      const items = owners.map((owner) => ({
        ...owner,
        schedules: schedules.get(owner.key)?.ids.length ?? 0,
        openIncidents: schedules.get(owner.key)?.open ?? 0,
      }));
      return slice(items, page);
    },
  }),
  operation("PUT", "/owners/:owner", "putOwner", {
    summary: "Add or change an owner",
    description: "What is not named stays as it is. Secrets are sealed, and never shown again. A " +
      "webhook is a URL and its secret, separated by a blank.",
    params: ONE_OWNER,
    body: named(
      "OwnerChange",
      record({
        name: optional(text({ description: "A new name" })),
        ...CHANNELS,
        quiet: optional(nullable(record({ ...QUIET, holdsCritical: optional(flag()) }))),
        scheduleIds: optional(SCHEDULE_IDS),
      }),
    ),
    async handle({ services, params, body: { name, quiet, scheduleIds, ...channels }, acting }) {
      await saveOwner(services, {
        name: params.owner,
        to: name,
        channels,
        quiet: quiet && { holdsCritical: false, ...quiet },
        scheduleIds,
      }, acting);
    },
  }),
  operation("DELETE", "/owners/:owner", "deleteOwner", {
    summary: "Remove an owner",
    description:
      "Schedules keep the name, and open incidents go to the default channels. Done, too, " +
      "if there is no such owner.",
    params: ONE_OWNER,
    handle: ({ services, params, acting }) => removeOwner(services, params.owner, acting),
  }),
  operation("POST", "/owners/:owner/test", "testOwner", {
    summary: "Test the channels of an owner",
    description: "Sends a message through each channel, and says which failed.",
    params: ONE_OWNER,
    answer: record({
      results: list(record({ kind: KIND, error: nullable(text({ description: "Null if sent" })) })),
    }),
    handle: async ({ services, params, acting }) => ({
      results: await testChannels(services, params.owner, acting.now),
    }),
  }),
  listOperation("/calendars", "listCalendars", {
    summary: "List calendars",
    description: "Days without runs, such as holidays.",
    item: CALENDAR,
    async load({ services: { records } }, page) {
      return slice(await records.calendars.list(), page);
    },
  }),
  operation("PUT", "/calendars/:calendar", "putCalendar", {
    summary: "Add or replace a calendar",
    description: "The schedules are judged again.",
    params: ONE_CALENDAR,
    body: named(
      "CalendarChange",
      record({
        days: text({ description: "Days such as 2026-12-24, or the text of an iCalendar file" }),
        scheduleIds: optional(SCHEDULE_IDS),
      }),
    ),
    answer: record({
      days: list(text({ format: "date" })),
      skipped: integer({ min: 0, description: "Events that are no whole day" }),
    }),
    handle: ({ services, params, body, acting }) =>
      saveCalendar(services, { name: params.calendar, ...body }, acting),
  }),
  operation("DELETE", "/calendars/:calendar", "deleteCalendar", {
    summary: "Remove a calendar",
    description: "Done, too, if there is no such calendar.",
    params: ONE_CALENDAR,
    async handle({ services, params, acting }) {
      await removeCalendar(services, params.calendar, acting);
    },
  }),
];

function slice<Item>(
  items: readonly Item[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return { items: items.slice(offset, offset + limit), total: items.length };
}
