import type { ReportRun } from "../types.ts";

/** Separates runs whose id came before: an error of the service, or rows that moved meanwhile. */
export function withoutRepeated(rows: readonly ReportRun[]): {
  readonly runs: readonly ReportRun[];
  readonly repeated: readonly ReportRun[];
} {
  const seen = new Set<number>();
  const repeated: ReportRun[] = [];
  const runs = rows.filter((run) => {
    if (seen.size < seen.add(run.id).size) return true;
    repeated.push(run);
    return false;
  });
  return { runs, repeated };
}
