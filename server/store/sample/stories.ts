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
  readonly title: string;
  readonly subject: string;
}

export const STORIES: readonly Story[] = [
  {
    scheduleId: 101,
    kind: "healthy",
    title: "Daily revenue",
    subject: "Revenue of yesterday",
  },
  {
    scheduleId: 102,
    kind: "failing",
    title: "Open claims",
    subject: "Open claims by team",
  },
  {
    scheduleId: 103,
    kind: "missed",
    title: "Warehouse stock",
    subject: "Stock below minimum",
  },
  {
    scheduleId: 104,
    kind: "recipients",
    title: "Sales pipeline",
    subject: "Pipeline and forecast",
  },
  {
    scheduleId: 105,
    kind: "size",
    title: "Product catalogue",
    subject: "Catalogue with photos",
  },
  {
    scheduleId: 106,
    kind: "slow",
    title: "Support load",
    subject: "Tickets and waiting times",
  },
  {
    scheduleId: 107,
    kind: "never",
    title: "Board summary",
    subject: "Summary for the board",
  },
  {
    scheduleId: 108,
    kind: "weekly",
    title: "Weekly safety report",
    subject: "Incidents of the week",
  },
  {
    scheduleId: 109,
    kind: "hourly",
    title: "Website orders",
    subject: "Orders of the last hour",
  },
  {
    scheduleId: 110,
    kind: "by-hand",
    title: "Cash position",
    subject: "Cash position, all banks",
  },
  {
    scheduleId: 111,
    kind: "flaky",
    title: "Partner feed",
    subject: "Partner feed, differences",
  },
  {
    scheduleId: 112,
    kind: "outsider",
    title: "Margin by customer",
    subject: "Margins, confidential",
  },
];

/** The story of the schedule with that id, which may be past the sample's twelve. */
export function storyOf(scheduleId: number): Story {
  return STORIES[(scheduleId - STORIES[0].scheduleId) % STORIES.length];
}
