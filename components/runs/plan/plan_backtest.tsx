import type { ReplayedIncident } from "../../../lib/runs/judge/watch.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { formatCount, formatCountOf } from "../../ui/format.ts";
import { Moment } from "../../ui/moment.tsx";
import { SeverityMark } from "../incidents/incident_table.tsx";
import { reasonWords } from "../verdict/reason_words.ts";

/** More incidents than this are counted. */
const MOST_ROWS = 50;

/** What a replay gave, and how many runs it replayed. */
export interface ShownBacktest {
  readonly runs: number;
  /** The incidents of the plan that is shown, the newest first. */
  readonly incidents: readonly ReplayedIncident[];
  /** Those of the plan that stands, where another one is shown. */
  readonly standing: readonly ReplayedIncident[] | null;
}

/** The incidents that watching would have opened, and how they differ from those of the present plan. */
export function PlanBacktest({ backtest: { runs, incidents, standing } }: {
  readonly backtest: ShownBacktest;
}) {
  const shown = incidents.slice(0, MOST_ROWS);
  const only = standing && difference(incidents, standing);
  const gone = standing && difference(standing, incidents);
  return (
    <>
      <h2>Backtest</h2>
      <p>
        Watching the last {formatCountOf(runs, "run", "runs")} with this plan would have opened{" "}
        {formatCountOf(incidents.length, "incident", "incidents")}
        {standing && `, and with the present plan ${formatCount(standing.length)}`}.
      </p>
      {only && gone && (
        <p>
          {only.size === 0 && gone.size === 0
            ? "The incidents are the same."
            : `New with this plan: ${formatCount(only.size)}. No longer: ${
              formatCount(gone.size)
            }.`}
        </p>
      )}
      {shown.length > 0 && <Incidents label="Backtest" incidents={shown} only={only} />}
      {incidents.length > MOST_ROWS && (
        <p>and {formatCount(incidents.length - MOST_ROWS)} earlier ones</p>
      )}
      {gone && gone.size > 0 && (
        <>
          <h3>No longer opened</h3>
          <Incidents
            label="No longer opened"
            incidents={[...gone].slice(0, MOST_ROWS)}
            only={null}
          />
        </>
      )}
    </>
  );
}

/** The incidents of a list that another list does not have. */
function difference(
  incidents: readonly ReplayedIncident[],
  others: readonly ReplayedIncident[],
): ReadonlySet<ReplayedIncident> {
  const keys = new Set(others.map(({ key }) => key));
  return new Set(incidents.filter(({ key }) => !keys.has(key)));
}

function Incidents({ label, incidents, only }: {
  readonly label: string;
  readonly incidents: readonly ReplayedIncident[];
  /** Those that the present plan does not open. */
  readonly only: ReadonlySet<ReplayedIncident> | null;
}) {
  const columns: readonly Column<ReplayedIncident>[] = [
    {
      name: "Incident",
      cell: (incident) => (
        <>
          {reasonWords(incident.reason)}
          {only?.has(incident) && <strong>&nbsp;(new)</strong>}
        </>
      ),
    },
    { name: "Severity", cell: ({ reason }) => <SeverityMark severity={reason.severity} /> },
    {
      name: "Opened",
      kind: "time",
      cell: ({ opened }) => <Moment at={new Date(opened).toISOString()} />,
    },
    {
      name: "Resolved",
      kind: "time",
      cell: ({ resolved }) =>
        resolved === null ? "still open" : <Moment at={new Date(resolved).toISOString()} />,
    },
  ];
  return <DataTable name={label} columns={columns} rows={incidents} />;
}
