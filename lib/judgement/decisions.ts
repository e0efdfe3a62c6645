/** What people decided to expect. */
import type { JudgeOptions } from "./verdict.ts";
import { canonicalDomain } from "../runs/look_alike.ts";
import { digestsOf, type Outsider } from "../runs/outsiders.ts";

export type Decision = NonNullable<JudgeOptions["decisions"]>[number];

/** What is expected: recipients by digest, domains in canonical form, changes by first run. */
export interface Expected {
  readonly digests: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
  readonly runs: ReadonlySet<number>;
}

export function isExpected({ digests, domain }: Outsider, expected: Expected): boolean {
  return expected.domains.has(domain) || digests.some((digest) => expected.digests.has(digest));
}

export function expectedAt(decisions: readonly Decision[], now: number): Expected {
  const expected = {
    digests: new Set<string>(),
    domains: new Set<string>(),
    runs: new Set<number>(),
  };
  for (const decision of decisions) {
    if (!decision.expected || decision.until !== null && decision.until <= now) continue;
    if (decision.kind === "recipient") {
      for (const digest of digestsOf(decision.recipient)) expected.digests.add(digest);
    } else if (decision.kind === "domain") expected.domains.add(canonicalDomain(decision.domain));
    else expected.runs.add(decision.run);
  }
  return expected;
}
