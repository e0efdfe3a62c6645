import type { Backend } from "../../../lib/backend.ts";
import { STORIES } from "./stories.ts";

/** Whether a service has the sample's schedules: whether the newest run of the first has its title. */
export async function hasSample({ reportSchedules }: Backend): Promise<boolean> {
  const [{ scheduleId, title }] = STORIES;
  try {
    const [newest] = await reportSchedules.history(scheduleId, { limit: 1 });
    return newest?.reportTitle === title;
  } catch {
    // It knows no such schedule, or can't be asked: then nothing is offered.
    return false;
  }
}
