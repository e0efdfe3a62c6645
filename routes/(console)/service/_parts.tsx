import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { Day, Fact, When } from "../../../components/ui/moment.tsx";
import { scheduleHref, SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import { FactRow } from "../../../components/ui/section.tsx";
import type { loadService } from "../../../server/pages/service_page.ts";
import { useContext } from "preact/hooks";
import { MEANINGS, shortStatus } from "../../../lib/runs/status.ts";
import { DataTable } from "../../../components/ui/list.tsx";
import { FormKey, PersonField, Refused, useMayAct } from "../../../components/ui/form.tsx";

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
              : polled !== null && unread === 0 && "without a failure"),
          tone: failingSince !== null ? "bad" : undefined,
        },
        ...unread === 0 ? [] : [{
          name: "Can't be read",
          value: formatCountOf(unread, "schedule", "schedules"),
          note: <a href="#asked">Which, and why</a>,
          tone: "bad",
        }],
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
        <li>and {formatCountOf(others, "other schedule", "other schedules")} for other reasons</li>
      )}
      {scans.map((scan) => <li key={scan} class="capital">{scan}</li>)}
      {scans.length === 0 && <li class="help">No ids were scanned yet.</li>}
    </ul>
  );
}

type Statuses = Awaited<ReturnType<typeof loadService>>["statuses"];
type StatusRow = Statuses["rows"][number];

/** Every status that was seen, and what it means; people may change that. */
export function StatusForm({ rows, unknown, left }: Statuses) {
  const mayAct = useMayAct();
  const { typed } = useContext(Refused);
  const statuses = typed.getAll("status");
  const meanings = typed.getAll("meaning");
  const typedFor = (status: string) => meanings[statuses.indexOf(status)];
  return (
    <form method="post" action={SERVICE_PATH}>
      <FormKey />
      {unknown > 0 && (
        <p>
          {formatCountOf(unknown, "status is", "statuses are")}{" "}
          unknown. A run with one counts neither as sent nor as failed, until somebody says what it
          means.
        </p>
      )}
      <DataTable
        name="Meanings"
        caption="Every status that was seen, and what it is taken to mean"
        columns={[
          { name: "Status", cell: ({ status }) => <code>{shortStatus(status)}</code> },
          { name: "Seen", cell: seenWords },
          {
            name: "Means",
            cell: (row) => <Meaning {...row} chosen={typedFor(row.status) ?? row.chosen} />,
          },
          { name: "Said by", kind: "sentence", cell: (row) => <Source row={row} /> },
        ]}
        rows={rows}
        empty="No run was read yet."
      />
      {left > 0 && <p class="help">And {formatCountOf(left, "other", "others")}.</p>}
      {mayAct && (
        <div class="row">
          <label>
            Another status <input name="status" maxLength={200} value={statuses.at(-1)} />
          </label>
          <label>
            means{" "}
            <select name="meaning" aria-label="What another status means">
              <Options chosen={meanings.at(-1)} unsaid="choose" />
            </select>
          </label>
          <PersonField />
          <button type="submit">Save</button>
        </div>
      )}
    </form>
  );
}

function seenWords({ runs, schedules }: StatusRow): string {
  if (runs === 0) return "not yet";
  return `${formatCountOf(runs, "run", "runs")} of ${
    formatCountOf(schedules, "schedule", "schedules")
  }`;
}

function Meaning({ status, meaning, chosen, otherwise, sameAs }: StatusRow) {
  // Nobody can say how a run ended that has no status.
  if (!useMayAct() || status === "") return <>{meaning}</>;
  if (sameAs !== undefined) return <>{meaning}, as {shortStatus(sameAs)}</>;
  return (
    <>
      <input type="hidden" name="status" value={status} />
      <select name="meaning" aria-label={`What ${shortStatus(status)} means`}>
        <Options chosen={chosen} unsaid={`${otherwise}, not confirmed`} />
      </select>
    </>
  );
}

function Options({ chosen = "", unsaid }: { readonly chosen?: string; readonly unsaid: string }) {
  return (
    <>
      <option value="" selected={chosen === ""}>{unsaid}</option>
      {MEANINGS.map((each) => (
        <option key={each} value={each} selected={each === chosen}>{each}</option>
      ))}
    </>
  );
}

function Source({ row: { status, meaning, said, setting } }: {
  readonly row: StatusRow;
}) {
  const inSettings = setting && `STATUSES: ${setting}`;
  if (said) {
    return (
      <>
        {said.by}, <Day at={said.at} />
        {inSettings && ` (${inSettings})`}
      </>
    );
  }
  const known = meaning === "unknown" ? "nobody yet" : "a known word";
  return <>{inSettings ?? (status === "" ? "nobody can know" : known)}</>;
}
