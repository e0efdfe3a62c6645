import { formatCount } from "../../../lib/format.ts";
import { useMoment, When } from "../../../components/ui/moment.tsx";
import { useMayAct } from "../../../components/ui/form.tsx";
import { separated } from "../../../components/ui/section.tsx";
import { type Column, DataTable } from "../../../components/ui/list.tsx";
import { Strip, StripLegend } from "../../../components/runs/charts/strip.tsx";
import { SilenceNote } from "../../../components/runs/incidents/incident_words.tsx";
import { ownerHref, scheduleHref } from "../../../components/runs/run_links.tsx";
import { StateBadge } from "../../../components/runs/verdict/state_badge.tsx";
import type { scheduleRows } from "../../../server/pages/schedules.ts";

type ScheduleRow = Awaited<ReturnType<typeof scheduleRows>>[number];

export function ScheduleTable({ rows, hasActions = false }: {
  readonly rows: readonly ScheduleRow[];
  readonly hasActions?: boolean;
}) {
  const canChoose = useMayAct() && hasActions;
  const { now } = useMoment();
  const zones = new Set(rows.flatMap(({ plan }) => plan ? [plan.plannedIn] : []));
  const [zone] = zones;
  const columns: readonly Column<ScheduleRow>[] = [
    { name: "Schedule", cell: (row) => nameCell(row, zones.size > 1) },
    { name: "State", cell: stateCell },
    { name: "Why", kind: "sentence", cell: ({ sentence }) => sentence },
    {
      name: "Last 20 planned runs",
      cell: ({ planned, isRead }) => isRead && <Strip planned={planned} />,
    },
    {
      name: "Last sent",
      cell: ({ lastSuccess, people, state, isRead }) => {
        if (lastSuccess !== null) {
          return [<When key="at" at={lastSuccess} hasDistance />, people === 0 && ", to nobody"];
        }
        // Runs before the judged ones may have gone out.
        return state === "new" ? "never" : isRead ? "none known" : null;
      },
    },
    {
      name: "People",
      kind: "number",
      cell: ({ people }) => people === null ? null : formatCount(people),
    },
    {
      name: "Next run",
      // In an outage, it may have run since it was last read.
      cell: ({ nextDue }) =>
        nextDue === null ? null : [nextDue <= now && "was due ", <When key="at" at={nextDue} />],
    },
    ...(canChoose
      ? [{
        name: "Select",
        isUnseen: true as const,
        cell: ({ scheduleId, name }: ScheduleRow) => (
          <input
            type="checkbox"
            form="watch-change"
            name="id"
            value={scheduleId}
            aria-label={`Select ${scheduleId} ${name}`}
          />
        ),
      }]
      : []),
  ];
  return (
    <>
      <DataTable
        name="Schedules"
        class="watch"
        columns={columns}
        rows={rows}
      />
      {zones.size === 1 && zone && <p class="help">All are planned in {zone}.</p>}
      <StripLegend
        outcomes={new Set(rows.flatMap(({ planned }) => planned.map(({ outcome }) => outcome)))}
      />
    </>
  );
}

/** `namesZone` says whether the plans of the list are in several zones. */
function nameCell(
  { scheduleId, name, reportTitle, plan, planSource, owner, isRead }: ScheduleRow,
  namesZone: boolean,
) {
  const planned = plan === null ? isRead && "no plan yet" : [
    plan.words,
    plan.timesIn && `, ${plan.timesIn}`,
    namesZone && plan.plannedIn && ` (planned in ${plan.plannedIn})`,
    planSource === "inferred" && ", inferred",
  ];
  const owned = owner && <a href={ownerHref(owner)}>{owner}</a>;
  return (
    <>
      <a href={scheduleHref(scheduleId)}>{name}</a> <span class="small">{scheduleId}</span>{" "}
      <small class="help">
        {separated([reportTitle, planned, owned].filter(Boolean), " · ")}
      </small>
    </>
  );
}

function stateCell(
  { scheduleId, name, headline, silences, isWatched, isRead, failure }: ScheduleRow,
) {
  return (
    <>
      {isRead
        ? <StateBadge headline={headline} />
        : <span class="missing">{failure === null ? "not read yet" : "can't be read"}</span>}
      {!isWatched && [" ", <small key="watched">Not watched</small>]}
      {silences.map((silence) => (
        <small key={silence.kind}>
          {" "}
          <SilenceNote silence={silence} of={`${scheduleId} ${name}`} />
        </small>
      ))}
    </>
  );
}
