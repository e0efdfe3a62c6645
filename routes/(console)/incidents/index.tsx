import { PageHeader } from "../../../components/page/page_header.tsx";
import { AcknowledgeAll, IncidentRow } from "./_incident_rows.tsx";
import { FilteredRows, FilterField, Segments } from "../../../components/ui/list.tsx";
import { withValues } from "../../../components/ui/query.ts";
import { capitalized, formatCountOf } from "../../../lib/format.ts";
import { INCIDENT_STATES, loadIncidents } from "../../../server/pages/incidents.ts";
import { NotWatched } from "../_not_watched.tsx";
import { acknowledgeGroup } from "./_incident_actions.tsx";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET: async ({ state, url }) => ({ data: await loadIncidents(state, url.searchParams) }),
  POST: acknowledgeGroup,
});

const PATH = "/incidents";

export default page(({ data, state }) => {
  const { rows, position, counts, causes, now } = data;
  const { filter: { state: shown, schedule, code } } = data;
  const isNarrowed = schedule !== "" || code !== undefined;
  const isMuted = ({ silences }: typeof rows[number]) =>
    silences.some(({ kind }) => kind === "muted");
  const href = (values: Readonly<Record<string, string | number>>) =>
    withValues(PATH, { state: shown, schedule, code, ...values });
  return (
    <>
      <PageHeader
        title="Incidents"
        beside={<a href="/incidents/deliveries">Deliveries</a>}
      />
      <NotWatched services={state.services} />
      <div class="line filter-line" id="filter" data-refreshed>
        <Segments
          label="Incidents by state"
          segments={INCIDENT_STATES.map((each) => ({
            name: capitalized(each),
            count: counts[each],
            href: href({ state: each, code: "" }),
            isCurrent: each === shown,
          }))}
        />
        {causes.length > (code ? 0 : 1) && (
          <Segments
            label="Open incidents by cause"
            segments={[
              { name: "Any cause", href: href({ code: "" }), isCurrent: !code },
              ...causes.map((cause) => ({
                name: capitalized(cause.code.replaceAll("-", " ")),
                count: cause.open,
                href: href({ code: cause.code }),
                isCurrent: cause.code === code,
              })),
            ]}
          />
        )}
        <FilterField
          action={PATH}
          name="schedule"
          label="Filter by schedule id"
          value={schedule}
          pattern="\d*"
          others={{ state: shown }}
          clear={isNarrowed ? href({ schedule: "", code: "" }) : undefined}
        />
      </div>
      <div id="incidents" data-refreshed>
        <h2 class="unseen" data-announced>
          {formatCountOf(position.total, "incident", "incidents")}
        </h2>
        {code && rows.some((row) => !row.acknowledgedBy && !isMuted(row)) && (
          <div class="row">
            <AcknowledgeAll {...{ code, now }}>
              Acknowledge all{rows.some(isMuted) && " that are not muted"}
            </AcknowledgeAll>
          </div>
        )}
        <FilteredRows
          position={position}
          href={(offset) => href({ offset })}
          label="Pages of incidents"
          empty={isNarrowed ? "No incidents match." : EMPTY[shown]}
        >
          <div class="box group">
            {rows.map((row) => <IncidentRow key={row.id} row={row} />)}
          </div>
        </FilteredRows>
      </div>
    </>
  );
});

const EMPTY = {
  open: "No incident is open.",
  resolved: "No incident was resolved yet.",
  all: "There are no incidents yet.",
} as const;
