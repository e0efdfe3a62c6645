/** Lets nobody set a plan that fits none of a schedule's latest runs, unless they say that it is right. */
import { invalidRequest, ProblemError } from "../http/problem.ts";
import { idRanges } from "../schedules/coverage.ts";
import { COMPARED_RUNS } from "../schedules/plan_fit.ts";
import type { FileSchedule } from "../schedules/schedule_file.ts";
import { takeTurn } from "../workers/take_turn.ts";
import type { ActionServices } from "./action_services.ts";

/** How many schedules a worker compares at once, well within its deadline. */
const BATCH = 20;

/** @throws {ProblemError} With the pointer `/cron` and the schedules whose latest runs a plan does not fit */
export async function checkFit(
  { records, judging }: Pick<ActionServices, "records" | "judging">,
  schedules: readonly Pick<FileSchedule, "scheduleId" | "settings">[],
): Promise<void> {
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
  if (misfits.length === 0) return;
  const which = `${misfits.length === 1 ? "schedule" : "schedules"} ${idRanges(misfits)}`;
  const detail = `fits none of the latest runs of ${which}; if it is right, say so with anyway`;
  throw invalidRequest([{ pointer: "/cron", detail }]);
}

export function notCompared(cause: unknown): ProblemError {
  return new ProblemError(503, "The plan could not be compared with the runs; please try again", {
    cause,
    retryAfterSeconds: 5,
  });
}
