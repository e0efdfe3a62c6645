import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { Fact, When } from "../../../components/ui/moment.tsx";
import { scheduleHref } from "../../../components/runs/run_links.tsx";
import { FactRow } from "../../../components/runs/verdict/facts.tsx";
import type { loadService } from "../../../server/pages/service_page.ts";

type Loaded = Awaited<ReturnType<typeof loadService>>;

/** What Docket learned of the service. */
type Learned = Omit<Loaded, "takesData" | "statuses">;

export function ServiceFacts({ learned }: { readonly learned: Learned }) {
  const { known, scans, polled, failingSince, pausedUntil, unread } = learned;
  const { givesTotals } = learned.search;
  return (
    <FactRow
      facts={[
        {
          name: "Last read",
          value: polled === null ? "Not yet" : <When at={polled} />,
          note: learned.whyNot ??
            (pausedUntil !== null
              ? ["it asks to wait until ", <When key="until" at={pausedUntil} />]
              : failingSince !== null
              ? ["can't be read since ", <When key="since" at={failingSince} />]
              : unread > 0
              ? `${formatCountOf(unread, "schedule", "schedules")} can't be read`
              : polled !== null && "without a failure"),
          tone: unread > 0 ? "bad" : undefined,
        },
        {
          name: "Schedules known",
          value: formatCount(known),
          note: scans.length > 0 ? "scanned by id" : "no ids scanned",
        },
        {
          name: "Totals of a search",
          value: givesTotals === null ? "Not asked yet" : givesTotals ? "Given" : "Not given",
          note: givesTotals === false && "pages can't say how many match",
        },
      ]}
    />
  );
}

/** Which operators and orders a search may use. */
export function SearchFacts(
  { search: { taken, refused, unasked } }: Pick<Learned, "search">,
) {
  return (
    <dl class="facts">
      {taken.length > 0 && <Fact name="Takes">{taken.join(", ")}</Fact>}
      {refused.length > 0 && (
        <Fact name="Refuses">
          {refused.map(({ name, until }) => (
            <div key={name}>
              <code>{name}</code>, asked again after <When at={until} />
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
export function AskedSchedules(
  { scans, failures, unread }: Pick<Learned, "scans" | "failures" | "unread">,
) {
  const others = unread - failures.reduce((sum, { schedules }) => sum + schedules, 0);
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
              {since !== null && [", since ", <When key="since" at={since} />]}
            </li>
          ))}
          {others > 0 && (
            <li>
              and {formatCountOf(others, "other schedule", "other schedules")} for other reasons
            </li>
          )}
        </ul>
      )}
      {scans.length > 0 && (
        <ul class="plain">{scans.map((scan) => <li key={scan} class="capital">{scan}</li>)}</ul>
      )}
    </>
  );
}
