/** What happened to each schedule of the sample, so that every judgement has something to find. */

export type StoryKind =
  | "healthy"
  | "failing"
  | "missed"
  | "recipients"
  | "size"
  | "slow"
  | "never"
  | "weekly"
  | "hourly"
  | "by-hand"
  | "flaky"
  | "outsider";

export interface Story {
  /** Schedule id; the stories of further schedules repeat in this order. */
  readonly scheduleId: number;
  readonly kind: StoryKind;
  /** The same for a person, in a sentence. */
  readonly summary: string;
  readonly title: string;
  readonly subject: string;
  /** When it runs, in words; the hour is UTC. Weekdays shift with the sample's days. */
  readonly cadence: string;
}

export const STORIES: readonly Story[] = [
  {
    scheduleId: 101,
    kind: "healthy",
    summary: "Runs every day and succeeds",
    title: "Daily revenue",
    subject: "Revenue of yesterday",
    cadence: "daily at 06:00",
  },
  {
    scheduleId: 102,
    kind: "failing",
    summary: "Has failed every day for a week",
    title: "Open claims",
    subject: "Open claims by team",
    cadence: "daily at 05:30",
  },
  {
    scheduleId: 103,
    kind: "missed",
    summary: "Succeeds, but did not run on 9 days, 3 of them in a row",
    title: "Warehouse stock",
    subject: "Stock below minimum",
    cadence: "daily at 04:15",
  },
  {
    scheduleId: 104,
    kind: "recipients",
    summary: "Its recipients grew from 6 to 40",
    title: "Sales pipeline",
    subject: "Pipeline and forecast",
    cadence: "daily at 07:00",
  },
  {
    scheduleId: 105,
    kind: "size",
    summary: "Its attachments have been ten times larger for the last 40 days",
    title: "Product catalogue",
    subject: "Catalogue with photos",
    cadence: "daily at 03:00",
  },
  {
    scheduleId: 106,
    kind: "slow",
    summary: "Takes under a minute, but sometimes more than a quarter of an hour",
    title: "Support load",
    subject: "Tickets and waiting times",
    cadence: "daily at 08:00",
  },
  {
    scheduleId: 107,
    kind: "never",
    summary: "Never ran",
    title: "Board summary",
    subject: "Summary for the board",
    cadence: "never",
  },
  {
    scheduleId: 108,
    kind: "weekly",
    summary: "Runs once a week and succeeds",
    title: "Weekly safety report",
    subject: "Incidents of the week",
    cadence: "weekly at 09:00",
  },
  {
    scheduleId: 109,
    kind: "hourly",
    summary: "Runs every hour from 07:00 to 18:00, five days a week",
    title: "Website orders",
    subject: "Orders of the last hour",
    cadence: "hourly by day, five days a week",
  },
  {
    scheduleId: 110,
    kind: "by-hand",
    summary: "Half of its runs were started by hand, at any time of day",
    title: "Cash position",
    subject: "Cash position, all banks",
    cadence: "daily at 06:30, and by hand",
  },
  {
    scheduleId: 111,
    kind: "flaky",
    summary: "Fails about once a week, and succeeds when it is rerun by hand",
    title: "Partner feed",
    subject: "Partner feed, differences",
    cadence: "daily at 02:00",
  },
  {
    scheduleId: 112,
    kind: "outsider",
    summary: "Has had a recipient at another company for 5 days",
    title: "Margin by customer",
    subject: "Margins, confidential",
    cadence: "daily at 05:00",
  },
];

/** The story of the schedule with that id, which may be past the sample's twelve. */
export function storyOf(scheduleId: number): Story {
  return STORIES[(scheduleId - STORIES[0].scheduleId) % STORIES.length];
}
