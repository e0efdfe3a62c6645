/** Reasons found in the recipients of reports. */
import type { ReportRun } from "../types.ts";
import { quantile } from "../runs/numbers.ts";
import { meaningOf } from "../runs/status.ts";
import { timeOf } from "../runs/times.ts";
import { FEWEST_BEFORE, RUNS_BEFORE } from "./content_reasons.ts";
import { type Facts, isEndless, reasonOf } from "./facts.ts";
import type { Reason } from "./reason.ts";

/** Runs that show how many people got the report. */
function sentRuns({ timed, open, statuses }: Facts): ReportRun[] {
  return timed.map(({ run }) => run).filter((run) =>
    meaningOf(run.status, statuses) !== "bad" && !open.includes(run) &&
    // If many runs are going at once, one may be older than those that count as open.
    (recipientsOf(run) !== undefined || !isEndless(run, statuses))
  );
}

export function* recipientReasons(facts: Facts): Generator<Reason> {
  const { newcomers } = facts;
  if (newcomers.length > 0) {
    const first = newcomers.map(({ history }) => history.first);
    const starts = first.flatMap(({ startTime }) => timeOf(startTime) ?? []);
    const [since, newest] = starts.length > 0
      ? [Math.min(...starts), Math.max(...starts)]
      : [null, null];
    yield reasonOf("outside-recipient", "critical", since, first, {
      count: newcomers.length,
      newest,
      domains: [...new Set(newcomers.map(({ domain }) => domain))].slice(0, 5).join(", "),
    });
  }
  const sent = sentRuns(facts);
  const byHand = new Set(facts.occurrences.byHand.map(({ run }) => run));
  // A person who also starts a run may send it to fewer people, but not to nobody.
  const runs = recipientsOf(sent.at(-1) ?? { id: 0 }) === 0
    ? sent
    : sent.filter((run) => !byHand.has(run));
  const counts = runs.map(recipientsOf);
  const place = runs.length - 1;
  const newest = counts[place];
  if (newest === undefined) return;
  const usualBefore = (first: number) => {
    const known = counts.slice(Math.max(0, first - RUNS_BEFORE), first)
      .filter((count) => count !== undefined);
    return known.length < FEWEST_BEFORE ? undefined : {
      middle: quantile(known, 0.5)!,
      least: quantile(known, 0.1)!,
    };
  };
  const isDropped = (count: number | undefined) => count !== undefined && count <= newest;
  let first = place;
  while (first > 0 && isDropped(counts[first - 1]) && place - first < RUNS_BEFORE) first--;
  const usual = usualBefore(first);
  const since = timeOf(runs[first].startTime) ?? null;
  const evidence = { before: usual?.middle ?? null, after: newest, count: place - first + 1 };
  if (newest === 0) {
    if (usual && usual.middle === 0) return;
    yield reasonOf("sent-to-nobody", "critical", since, runs.slice(first), evidence);
  } else if (
    usual && newest <= usual.middle / 2 && usual.middle - newest >= 2 && newest < usual.least
  ) yield reasonOf("recipients-dropped", "warning", since, runs.slice(first), evidence);
}

function recipientsOf({ recipientCount, recipients }: ReportRun): number | undefined {
  return recipientCount ?? recipients?.length;
}
