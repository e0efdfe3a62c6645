/** Finds plans that somebody sets and that fit none of the latest runs. */
import { ProblemError } from "../http/problem.ts";
import { COMPARED_RUNS } from "../schedules/plan_fit.ts";
import type { FileSchedule } from "../schedules/schedule_file.ts";
import { takeTurn } from "../workers/take_turn.ts";
import type { ActionServices } from "./action_services.ts";

/** How many schedules a worker compares at once, well within its deadline. */
const BATCH = 20;

/** The schedules of which none of the latest runs fits the plan that they are to get. */
export async function findMisfits(
  { records, judging }: Pick<ActionServices, "records" | "judging">,
  schedules: readonly Pick<FileSchedule, "scheduleId" | "settings">[],
): Promise<readonly number[]> {
  const planned = schedules.flatMap(({ scheduleId, settings: { plan } }) =>
    plan ? [{ scheduleId, plan }] : []
  );
  const misfits: number[] = [];
  for (let from = 0; from < planned.length; from += BATCH) {
    const histories = [];
    for (const { scheduleId, plan } of planned.slice(from, from + BATCH)) {
      const texts = await records.runs.newestTexts(scheduleId, COMPARED_RUNS);
      if (texts.length === 0) continue;
      histories.push({ scheduleId, plan, runs: `[${texts.map(({ text }) => text).join(",")}]` });
    }
    await takeTurn();
    if (histories.length === 0) continue;
    misfits.push(
      ...await judging.findMisfits(histories).catch((cause) => {
        throw notCompared(cause);
      }),
    );
  }
  return misfits;
}

export function notCompared(cause: unknown): ProblemError {
  return new ProblemError(503, "The plan could not be compared with the runs; please try again", {
    cause,
    retryAfterSeconds: 5,
  });
}
