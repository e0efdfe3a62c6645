/** Inconsistencies that show when runs are compared with each other. */
import type { ReportRun } from "../types.ts";
import type { CheckedRun, Finding } from "./finding.ts";
import { quantile } from "./numbers.ts";

/** A size that differs from another by this factor is a jump. */
const JUMP_FACTOR = 3;
/** A size is compared with the median of this many earlier runs. */
const RUNS_BEFORE = 7;

export function* repeatedIds<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  const seen = new Map<number, Run>();
  for (const { run } of runs) {
    const other = seen.get(run.id);
    if (other) {
      const same = JSON.stringify(run) === JSON.stringify(other);
      yield {
        kind: "repeated-id",
        run,
        other,
        message: `Id ${run.id} occurs twice, with ${same ? "the same" : "different"} content`,
      };
    } else seen.set(run.id, run);
  }
}

export function* overlaps<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  let latest: { readonly run: Run; readonly end: number } | undefined;
  for (let place = runs.length - 1; place >= 0; place--) {
    const { run, start, end } = runs[place];
    if (start === undefined) continue;
    if (latest && start < latest.end && latest.run.id !== run.id) {
      const message = `Started before run ${latest.run.id} ended`;
      yield { kind: "overlap", run, other: latest.run, message };
    }
    if (end !== undefined && (!latest || end > latest.end)) latest = { run, end };
  }
}

/** Runs that did not fail and have no attachments, although nearly all others have some. */
export function* missingAttachments<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  const known = runs.filter(({ run, isBad }) => typeof run.attachmentCount === "number" && !isBad)
    .map(({ run }) => run);
  const without = known.filter(({ attachmentCount }) => attachmentCount === 0);
  if (without.length === 0 || without.length * 5 > known.length) return;
  const usual = quantile(known.map(({ attachmentCount }) => attachmentCount!), 0.5);
  for (const run of without) {
    yield {
      kind: "no-attachments",
      run,
      message: `No attachments; usually ${usual}`,
    };
  }
}

export function* sizeJumps<Run extends ReportRun>(
  runs: readonly CheckedRun<Run>[],
): Generator<Finding<Run>> {
  for (
    const [field, words] of [
      ["attachmentSize", "Attachments"],
      ["emailSize", "Email"],
    ] as const
  ) {
    const known = runs.filter(({ run, start, isBad }) =>
      (run[field] ?? 0) > 0 && start !== undefined && !isBad
    ).map(({ run }) => run).reverse();
    const sizes = known.map((run) => run[field]!);
    for (let at = RUNS_BEFORE; at < known.length; at++) {
      const usual = quantile(sizes.slice(at - RUNS_BEFORE, at), 0.5)!;
      const factor = sizes[at] / usual;
      // Reported only at the jump, not for each run until the median has caught up.
      const factorBefore = sizes[at - 1] / usual;
      if (!isJump(factor) || isJump(factorBefore) && (factor > 1) === (factorBefore > 1)) continue;
      const times = factor > 1
        ? `${factor.toFixed(1)} times as large as`
        : `${(1 / factor).toFixed(1)} times smaller than`;
      yield {
        kind: "size-jump",
        run: known[at],
        other: known[at - 1],
        message: `${words} ${times} usual in the ${RUNS_BEFORE} runs before`,
      };
    }
  }
}

function isJump(factor: number): boolean {
  return factor >= JUMP_FACTOR || factor <= 1 / JUMP_FACTOR;
}
