/** What happened to each schedule of the sample, so that each kind of reason occurs. */
import type { Backend } from "../../../lib/client/backend.ts";

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

export interface Story {
  /** Schedules with higher ids repeat the stories in this order. */
  readonly scheduleId: number;
  readonly kind: StoryKind;
  readonly title: string;
  readonly subject: string;
}

const FIRST_ID = 101;

export const STORIES: readonly Story[] = (Object.keys(TITLES) as StoryKind[]).map((kind, index) => {
  const [title, subject] = TITLES[kind];
  return { scheduleId: FIRST_ID + index, kind, title, subject };
});

/** The story of a schedule, which may be beyond the sample's twelve. */
export function storyOf(scheduleId: number): Story {
  return STORIES[(scheduleId - FIRST_ID) % STORIES.length];
}

/** Whether a service has the sample: its first and last schedule have the stories' titles. */
export async function hasSample({ reportSchedules }: Backend): Promise<boolean> {
  try {
    const haveTitles = await Promise.all(
      [STORIES[0], STORIES.at(-1)!].map(async ({ scheduleId, title }) => {
        const [newest] = await reportSchedules.history(scheduleId, { limit: 1 });
        return newest?.reportTitle === title;
      }),
    );
    return haveTitles.every(Boolean);
  } catch {
    // It has no such schedule, or can't be reached.
    return false;
  }
}
