import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { ReplayedIncident } from "../../../lib/judgement/replay.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { LoneMoment, Moment } from "../../ui/moment.tsx";
import { Zone } from "../../ui/zone.ts";
import { PersonField, useMayAct } from "../../ui/reader.tsx";
import { SeverityMark } from "../incidents/incident_table.tsx";

const MAX_ROWS = 50;

export interface ShownBacktest {
  readonly runs: number;
  /** How many of the newest runs started as planned; null with too few runs. */
  readonly fit?: { readonly fitting: number; readonly runs: number } | null;
  readonly failure?: string | null;
  readonly incidents: readonly ReplayedIncident[];
  readonly standing: readonly ReplayedIncident[] | null;
  /** Keys of incidents that people marked as false; null if the schedule is not watched. */
  readonly falseIncidents: readonly string[] | null;
  readonly person: string;
  readonly href: string;
  readonly mutedUntil: number | null;
}

const FORM = "marks";

export function PlanBacktest({ backtest }: { readonly backtest: ShownBacktest }) {
  const { runs, fit, failure, incidents, standing, falseIncidents, person, href, mutedUntil } =
    backtest;
  const mayAct = useMayAct();
  if (failure) {
    return (
      <>
        <h2 id="backtest">Backtest</h2>
        <p class="notice bad">There is no result. {failure}.</p>
      </>
    );
  }
  const canMark = mayAct && falseIncidents !== null;
  const marked = new Set(falseIncidents);
  const only = standing && keysOnlyIn(incidents, standing);
  const gone = standing && keysOnlyIn(standing, incidents);
  const list = (label: string, some: readonly ReplayedIncident[]) => (
    <Incidents
      label={label}
      incidents={some.slice(0, MAX_ROWS)}
      only={only}
      marked={canMark ? marked : null}
    />
  );
  return (
    <>
      <h2 id="backtest">Backtest</h2>
      <p>
        Watching the last {formatCountOf(runs, "run", "runs")} with this plan would have opened{" "}
        {formatCountOf(incidents.length, "incident", "incidents")}
        {standing && `, and with the current plan ${formatCount(standing.length)}`}.
        {fit && ` The plan fits ${fit.fitting} of the newest ${fit.runs} runs.`}
      </p>
      {only && gone && (
        <p>
          {only.size === 0 && gone.size === 0
            ? "The incidents are the same."
            : `New with this plan: ${formatCount(only.size)}. No longer opened: ${
              formatCount(gone.size)
            }.`}
          {otherTimes(incidents, standing)}
        </p>
      )}
      {canMark && marked.size > 0 && (
        <p>
          With this plan: {markedWords(incidents, marked)}.
          {standing && ` With the current plan: ${markedWords(standing, marked)}.`}
        </p>
      )}
      {!canMark && incidents.length > 0 && (
        <p class="help">To mark incidents as false here, watch the schedule.</p>
      )}
      {mutedUntil && (
        <p class="notice">
          The schedule is muted until <LoneMoment at={mutedUntil} />: nothing is sent before then.
        </p>
      )}
      {/* A table row can't be a form, so its buttons name this one. */}
      <form id={FORM} method="post" action={href}>
        {canMark && incidents.length + (standing?.length ?? 0) > 0 && (
          <PersonField
            value={person}
          />
        )}
      </form>
      {incidents.length > 0 && list("Backtest", incidents)}
      {incidents.length > MAX_ROWS && (
        <p>and {formatCountOf(incidents.length - MAX_ROWS, "earlier one", "earlier ones")}</p>
      )}
      {gone && gone.size > 0 && (
        <>
          <h3>No longer opened</h3>
          {list("No longer opened", standing.filter(({ key }) => gone.has(key)))}
        </>
      )}
    </>
  );
}

function markedWords(all: readonly ReplayedIncident[], marked: ReadonlySet<string>): string {
  const wrong = all.filter(({ key }) => marked.has(key)).length;
  return `${formatCount(wrong)} marked as false, ${
    formatCountOf(all.length - wrong, "other", "others")
  }`;
}

function keysOnlyIn(
  incidents: readonly ReplayedIncident[],
  others: readonly ReplayedIncident[],
): ReadonlySet<string> {
  const keysOf = (some: readonly ReplayedIncident[]) => new Set(some.map(({ key }) => key));
  return keysOf(incidents).difference(keysOf(others));
}

/** How many incidents of both plans open later or earlier than with the current one. */
function otherTimes(
  incidents: readonly ReplayedIncident[],
  standing: readonly ReplayedIncident[],
): string {
  const opened = new Map(standing.map(({ key, opened }) => [key, opened]));
  const shifts = incidents.map((one) => one.opened - (opened.get(one.key) ?? one.opened));
  const later = shifts.filter((shift) => shift > 0).length;
  const earlier = shifts.filter((shift) => shift < 0).length;
  return [
    later > 0 && ` Opened later: ${formatCount(later)}.`,
    earlier > 0 && ` Opened earlier: ${formatCount(earlier)}.`,
  ].filter(Boolean).join("");
}

function Incidents({ label, incidents, only, marked }: {
  readonly label: string;
  readonly incidents: readonly ReplayedIncident[];
  readonly only: ReadonlySet<string> | null;
  /** Keys of incidents marked as false; null if none can be marked. */
  readonly marked: ReadonlySet<string> | null;
}) {
  const zone = useContext(Zone);
  const columns: readonly Column<ReplayedIncident>[] = [
    {
      name: "Incident",
      cell: ({ key, reason }) => (
        <>
          {reasonText(reason, { zone })} {only?.has(key) && <strong>(new)</strong>}
        </>
      ),
    },
    { name: "Severity", cell: ({ reason }) => <SeverityMark severity={reason.severity} /> },
    { name: "Opened", kind: "time", cell: ({ opened }) => <Moment at={opened} /> },
    {
      name: "Over",
      kind: "time",
      cell: ({ passed, resolved }) => {
        const over = passed ?? resolved;
        return over === null ? "still open" : <Moment at={over} />;
      },
    },
    ...marked
      ? [{
        name: "False?",
        cell: ({ key, reason }: ReplayedIncident) =>
          markButton(key, marked.has(key), reasonText(reason, { zone })),
      }]
      : [],
  ];
  return <DataTable name={label} columns={columns} rows={incidents} />;
}

function markButton(key: string, isFalse: boolean, about: string) {
  return (
    <>
      {isFalse && <strong>false</strong>}{" "}
      <button
        type="submit"
        form={FORM}
        class="quiet"
        name={isFalse ? "unmark" : "mark"}
        value={key}
        aria-label={`${isFalse ? "Undo false alarm" : "False alarm"}: ${about}`}
      >
        {isFalse ? "Undo" : "False alarm"}
      </button>
    </>
  );
}
