import type { Backend } from "../../../lib/client/backend.ts";
import { STORIES } from "./stories.ts";

/** Whether a service has all of the sample's stories: whether the first and the last have their titles. */
export async function hasSample({ reportSchedules }: Backend): Promise<boolean> {
  try {
    const isThere = await Promise.all(
      [STORIES[0], STORIES.at(-1)!].map(async ({ scheduleId, title }) => {
        const [newest] = await reportSchedules.history(scheduleId, { limit: 1 });
        return newest?.reportTitle === title;
      }),
    );
    return isThere.every(Boolean);
  } catch {
    // It knows no such schedule, or can't be asked: then nothing is offered.
    return false;
  }
}
