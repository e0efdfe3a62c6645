/** Current recipients at other domains than most, such as those of another company. */
import type { Newcomer } from "../../../lib/runs/newcomers.ts";
import { domainOf, type RecipientHistory } from "../../../lib/runs/recipients.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";

export interface OtherDomain {
  readonly domain: string;
  readonly recipients: number;
  readonly keys: readonly string[];
  readonly first: ReportRun;
}

/** The other domains of current recipients, largest first, without new external recipients. */
export function otherDomains(
  histories: readonly RecipientHistory<ReportRun>[],
  newcomers: readonly Newcomer<ReportRun>[],
): OtherDomain[] {
  const isNew = new Set(newcomers.map(({ history }) => history.key));
  const byDomain = new Map<string, RecipientHistory<ReportRun>[]>();
  for (const history of histories) {
    const domain = domainOf(history.addresses[0]);
    if (!history.isCurrent || domain === undefined) continue;
    byDomain.set(domain, [...byDomain.get(domain) ?? [], history]);
  }
  const [[main] = [""], ...others] = [...byDomain]
    .sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1));
  const isPart = (domain: string) => domain.endsWith(`.${main}`) || main.endsWith(`.${domain}`);
  return others.filter(([domain]) => !isPart(domain)).flatMap(([domain, there]) => {
    const known = there.filter(({ key }) => !isNew.has(key));
    if (known.length === 0) return [];
    const first = known.map((history) => history.first)
      .reduce((a, b) => (timeOf(b.startTime) ?? 0) < (timeOf(a.startTime) ?? 0) ? b : a);
    return [{ domain, recipients: known.length, keys: known.map(({ key }) => key), first }];
  });
}
