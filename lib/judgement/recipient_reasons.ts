/** Reasons found in who receives the reports. */
import { type Facts, reasonOf } from "./facts.ts";
import type { Reason } from "./reason.ts";

/** Recipients who are new from outside. */
export function* outsideReasons(
  { content: { outsiders: { outsiders } } }: Facts,
): Generator<Reason> {
  if (outsiders.length === 0) return;
  const starts = outsiders.map(({ since }) => since);
  const runs = [...new Set(outsiders.map(({ run }) => run))].map((id) => ({ id }));
  const resembled = outsiders.find(({ resembles }) => resembles !== undefined);
  yield reasonOf("outside-recipient", "critical", Math.min(...starts), runs, {
    count: outsiders.length,
    newest: Math.max(...starts),
    domains: [...new Set(outsiders.map(({ domain }) => domain))].slice(0, 5).join(", "),
    ...(resembled && { lookAlike: resembled.domain, resembles: resembled.resembles! }),
  });
}
