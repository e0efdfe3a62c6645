/** What happened to each schedule of the sample, so that each kind of reason occurs. */
const TITLES = {
  "healthy": ["Daily revenue", "Revenue of yesterday"],
  "failing": ["Open claims", "Open claims by team"],
  "missed": ["Warehouse stock", "Stock below minimum"],
  "recipients": ["Sales pipeline", "Pipeline and forecast"],
  "size": ["Product catalogue", "Catalogue with photos"],
  "slow": ["Support load", "Tickets and waiting times"],
  "never": ["Board summary", "Summary for the board"],
  "weekly": ["Weekly safety report", "Incidents of the week"],
  "hourly": ["Website orders", "Orders of the last hour"],
  "by-hand": ["Cash position", "Cash position, all banks"],
  "flaky": ["Partner feed", "Partner feed, differences"],
  "outsider": ["Margin by customer", "Margins, confidential"],
} as const;

export type StoryKind = keyof typeof TITLES;

export type Story = typeof STORIES[number];

const FIRST_ID = 101;

/** Schedules with higher ids repeat the stories in this order. */
export const STORIES = (Object.keys(TITLES) as StoryKind[]).map((kind, index) => {
  const [title, subject] = TITLES[kind];
  return { scheduleId: FIRST_ID + index, kind, title, subject };
});

/** The story of a schedule, which may be beyond the sample's twelve. */
export function findStory(scheduleId: number): Story {
  return STORIES[(scheduleId - FIRST_ID) % STORIES.length];
}
