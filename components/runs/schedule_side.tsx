import { useContext } from "preact/hooks";
import { formatCountOf, uncapitalized } from "../../lib/format.ts";
import type { Verdict } from "../../lib/judgement/judge_schedule.ts";
import { countRecipients } from "../../lib/runs/recipients.ts";
import { meaningOfRun, type StatusDictionary } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { Fact, useMoment, When } from "../ui/moment.tsx";
import { Happened, Section } from "../ui/section.tsx";
import { resultWords, Statuses } from "./run_words.tsx";
import { Recipients } from "./recipients/recipient_list.tsx";
import { planHref, recipientsHref, runHref } from "./run_links.tsx";

const MAX_EVENTS = 6;

/** Beside the runs of a schedule: what happened, who did not get it, and what comes next. */
export function ScheduleSide({ verdict, coming, scheduleId, watchedSince, owner }: {
  readonly verdict: Verdict;
  /** The next planned runs, in milliseconds since 1970. */
  readonly coming: readonly number[];
  readonly scheduleId: number;
  /** In milliseconds since 1970; null if it is not watched. */
  readonly watchedSince: number | null;
  /** Who owns the newest run in the service; null if nobody knows. */
  readonly owner: { readonly name: string; readonly hasLeft: boolean } | null;
}) {
  const statuses = useContext(Statuses);
  const { reasons, health: { latest } } = verdict;
  // Those wait for an overdue report who got the last one.
  const isOverdue = reasons.some(({ code }) => code === "overdue");
  return (
    <div id="side">
      <Section id="happened" title="What happened">
        <Happened
          points={findStretches(verdict, statuses).map((
            { run, count, since, words, ...point },
          ) => ({
            ...point,
            since: count > 1 ? since : undefined,
            href: run ? runHref(scheduleId, run.id) : undefined,
            words: count > 1 ? `${words}, ${formatCountOf(count, "run", "runs")}` : words,
          }))}
        />
      </Section>
      {latest && (
        <Recipients
          people={latest.recipients ?? []}
          meaning={isOverdue ? "bad" : meaningOfRun(latest, statuses)}
          reasons={reasons}
          href={recipientsHref(scheduleId)}
        />
      )}
      <NextRuns coming={coming} plan={planHref(scheduleId)} />
      <Section id="about" title="Facts">
        <dl class="facts">
          <Fact name="Report">{latest?.reportTitle}</Fact>
          <Fact name="Subject">{latest?.reportSubject}</Fact>
          {owner && (
            <Fact name="Owner in the service">
              {owner.name}
              {owner.hasLeft && <strong class="status bad">, who left</strong>}
            </Fact>
          )}
          {watchedSince !== null && (
            <Fact name="Watched since">
              <When at={watchedSince} />
            </Fact>
          )}
        </dl>
      </Section>
    </div>
  );
}

export function NextRuns({ coming, plan }: {
  readonly coming: readonly number[];
  /** The page of the plan, if this is another one. */
  readonly plan?: string;
}) {
  const { now } = useMoment();
  const later = coming.filter((at) => at > now);
  if (later.length === 0) return null;
  return (
    <Section id="next" title="Next runs" more={plan && <a href={plan}>Plan</a>}>
      <ul class="plain later">
        {later.map((at) => (
          <li key={at} class="line apart">
            <When at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface Ending {
  /** Null if a planned run did not start. */
  readonly run: ReportRun | null;
  readonly at: number;
  readonly isBad: boolean;
  readonly words: string;
}

/** The newest runs and planned runs that did not start, those with the same result in a row as one. */
function findStretches({ runs, schedule }: Verdict, statuses: StatusDictionary) {
  const unmet = [...schedule?.overdue ?? [], ...schedule?.missed ?? []]
    .map(({ at }) => ({ run: null, at, isBad: true, words: "did not start" }));
  const endings = runs.map((run): Ending => {
    const meaning = meaningOfRun(run, statuses);
    const people = meaning === "good" ? countRecipients(run) : null;
    const to = people === 0 ? "nobody" : people && formatCountOf(people, "person", "people");
    const words = uncapitalized(resultWords(run, statuses)) + (to === null ? "" : ` to ${to}`);
    return { run, at: timeOf(run.startTime)!, isBad: meaning === "bad", words };
  });
  const stretches: (Ending & { since: number; count: number })[] = [];
  for (const each of [...unmet, ...endings].sort((a, b) => b.at - a.at)) {
    const last = stretches.at(-1);
    if (last?.words === each.words) {
      last.since = each.at;
      last.count++;
    } else if (stretches.length === MAX_EVENTS) break;
    else stretches.push({ ...each, since: each.at, count: 1 });
  }
  return stretches;
}
