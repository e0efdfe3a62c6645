/** Finds plans that somebody sets and that fit none of the latest runs. */
import { idRanges } from "../schedules/coverage.ts";
import { COMPARED_RUNS } from "../schedules/plan_fit.ts";
import type { FileSchedule } from "../schedules/schedule_file.ts";
import { yieldToEventLoop } from "../workers/yield_to_event_loop.ts";
import type { ActionServices } from "./action_services.ts";

/** At most this many plans are compared with runs, so that the answer comes in seconds. */
const MAX_COMPARED = 200;
/** How many schedules a worker compares at once, well within its deadline. */
const BATCH = 20;

/**
 * The schedules whose plan fits none of the latest runs, such as `101-103`; null if there are none, or
 * if no worker had time. Only the first 200 are compared.
 */
export async function planMisfits(
  { records, judging }: Pick<ActionServices, "records" | "judging">,
  schedules: readonly Pick<FileSchedule, "scheduleId" | "settings">[],
): Promise<string | null> {
  const planned = schedules.flatMap(({ scheduleId, settings: { plan } }) =>
    plan ? [{ scheduleId, plan }] : []
  ).slice(0, MAX_COMPARED);
  const misfits: number[] = [];
  for (let from = 0; from < planned.length; from += BATCH) {
    const histories = [];
    for (const { scheduleId, plan } of planned.slice(from, from + BATCH)) {
      const texts = await records.runs.newestTexts(scheduleId, COMPARED_RUNS);
      if (texts.length === 0) continue;
      histories.push({ scheduleId, plan, runs: `[${texts.map(({ text }) => text).join(",")}]` });
    }
    await yieldToEventLoop();
    if (histories.length === 0) continue;
    const found = await judging.findMisfits(histories).catch(() => null);
    if (found === null) return null;
    misfits.push(...found);
  }
  return idRanges(misfits) || null;
}
