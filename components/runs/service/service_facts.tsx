import { formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { SearchAnswers } from "../../../lib/client/own_matching.ts";
import { Fact, When } from "../../ui/moment.tsx";
import { scheduleHref } from "../run_links.tsx";

/** What Docket learned of the service; times are milliseconds since 1970. */
interface LearnedService {
  /** Its address; null for the embedded one. */
  readonly service: string | null;
  readonly whyNot: string | null;
  readonly known: number;
  /** What each scan found, in words. */
  readonly scans: readonly string[];
  readonly polled: number | null;
  readonly failures: readonly {
    readonly failure: string;
    readonly schedules: number;
    readonly since: number | null;
    readonly first: number;
  }[];
  readonly aheadMs: number | null;
  readonly pausedUntil: number | null;
  readonly search: SearchAnswers;
  readonly now: number;
}

/** A clock that differs by less is the same: answers take some time. */
const SAME_MS = 2000;

export function ServiceFacts({ learned }: { readonly learned: LearnedService }) {
  const { service, known, scans, polled, pausedUntil, aheadMs, failures, now } = learned;
  const { taken, refused, unasked, givesTotals } = learned.search;
  const unread = failures.reduce((sum, { schedules }) => sum + schedules, 0);
  return (
    <dl class="five">
      <Fact name="Last read" class={unread > 0 ? "bad" : undefined}>
        {polled === null ? "Not yet" : <When at={polled} now={now} />}{" "}
        <small>
          {learned.whyNot ??
            (pausedUntil !== null
              ? ["it asks to wait until ", <When key="until" at={pausedUntil} now={now} />]
              : unread > 0
              ? `${formatCountOf(unread, "schedule", "schedules")} can't be read`
              : polled !== null && "without a failure")}
        </small>
      </Fact>
      <Fact name="Schedules known">
        {formatCount(known)}{" "}
        <small>{scans.length > 0 ? "scanned by id" : "not asked yet which ones it has"}</small>
      </Fact>
      <Fact name="Operators and orders" class={refused.length > 0 ? "late" : undefined}>
        {taken.length === 0 && refused.length === 0 ? "Not asked yet" : `${taken.length} taken`}
        {" "}
        <small>
          {refused.length > 0 ? `${refused.length} refused, ` : ""}
          {unasked.length === 0 ? "none left to ask" : `${unasked.length} not asked yet`}
        </small>
      </Fact>
      <Fact name="Totals of a search">
        {givesTotals === null ? "Not asked yet" : givesTotals ? "Given" : "Not given"}{" "}
        {givesTotals === false && <small>pages can't say how many match</small>}
      </Fact>
      <Fact name="Clock">
        {service === null ? "Docket's own" : clockWords(aheadMs)}
      </Fact>
    </dl>
  );
}

function clockWords(aheadMs: number | null): string {
  if (aheadMs === null) return "Not known yet";
  if (Math.abs(aheadMs) < SAME_MS) return "Right";
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead" : "behind"}`;
}

/** Which operators and orders a search may use. */
export function SearchFacts({ search: { taken, refused, unasked }, now }: Pick<
  LearnedService,
  "search" | "now"
>) {
  return (
    <dl class="facts">
      <Fact name="Takes">{taken.join(", ")}</Fact>
      {refused.length > 0 && (
        <Fact name="Refuses">
          {refused.map(({ name, until }) => (
            <div key={name}>
              <code>{name}</code>, asked again after <When at={until} now={now} />
            </div>
          ))}
          <span class="help">Meanwhile, Docket reads all file sets and searches them itself.</span>
        </Fact>
      )}
      {unasked.length > 0 && <Fact name="Not asked yet">{unasked.join(", ")}</Fact>}
    </dl>
  );
}

/** The schedules that were asked for, and those that the service refuses. */
export function AskedSchedules({ scans, failures, now }: Pick<
  LearnedService,
  "scans" | "failures" | "now"
>) {
  return (
    <>
      {failures.length > 0 && (
        <ul class="plain">
          {failures.map(({ failure, schedules, since, first }) => (
            <li key={failure}>
              <span class="status bad">{failure}</span>:{" "}
              {schedules === 1 ? <a href={scheduleHref(first)}>schedule {first}</a> : [
                `${formatCount(schedules)} schedules, such as `,
                <a key="first" href={scheduleHref(first)}>{first}</a>,
              ]}
              {since !== null && [", since ", <When key="since" at={since} now={now} />]}
            </li>
          ))}
        </ul>
      )}
      {scans.length > 0
        ? <ul class="plain">{scans.map((scan) => <li key={scan} class="capital">{scan}</li>)}</ul>
        : <p class="help">The service was not asked yet which schedules it has.</p>}
    </>
  );
}
