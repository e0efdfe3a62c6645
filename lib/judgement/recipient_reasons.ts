/** Reasons found in who receives the reports. */
import { timeOf } from "../runs/times.ts";
import { type Facts, reasonOf } from "./facts.ts";
import type { Reason } from "./reason.ts";

/** Recipients at domains that are new. */
export function* outsideReasons({ newcomers }: Facts): Generator<Reason> {
  if (newcomers.length === 0) return;
  const first = newcomers.map(({ history }) => history.first);
  const starts = first.flatMap(({ startTime }) => timeOf(startTime) ?? []);
  const isKnown = starts.length > 0;
  yield reasonOf("outside-recipient", "critical", isKnown ? Math.min(...starts) : null, first, {
    count: newcomers.length,
    newest: isKnown ? Math.max(...starts) : null,
    domains: [...new Set(newcomers.map(({ domain }) => domain))].slice(0, 5).join(", "),
  });
}
