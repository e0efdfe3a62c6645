import { formatCount } from "../../../lib/format.ts";
import { Day } from "../../ui/moment.tsx";
import { ActingAs, ForActing } from "../../ui/reader.tsx";
import {
  GroupRow,
  IncidentRow,
  type ShownGroup,
  type ShownIncident,
} from "../incidents/incident_rows.tsx";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { SilenceNote } from "../incidents/silence.tsx";
import { incidentHref, scheduleHref } from "../run_links.tsx";

interface List<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export function NeedsAttention(
  { needed, ownedByLeavers, acknowledged, silenced, unread, now, next }: {
    /** Incidents, or several of one cause, the most urgent first; `total` counts incidents. */
    readonly needed: List<
      | { readonly row: ShownIncident; readonly group: null }
      | { readonly row: null; readonly group: ShownGroup }
    >;
    readonly ownedByLeavers: List<{ readonly name: string; readonly scheduleId: number }>;
    readonly acknowledged: List<
      & Pick<ShownIncident, "id" | "name" | "summary" | "acknowledgedBy">
      & { readonly acknowledged: number | null }
    >;
    readonly silenced: List<{ readonly name: string; readonly silence: Silence }>;
    /** How much was not read yet, so that nobody knows whether it needs attention. */
    readonly unread: "all" | "some" | "none";
    readonly now: number;
    readonly next: string;
  },
) {
  const shown = needed.items.reduce((sum, { group }) => sum + (group?.count ?? 1), 0);
  return (
    <section aria-labelledby="needs">
      <div class="group">
        <div class="heading">
          <h2 id="needs">
            Needs attention{" "}
            {needed.total > 0 && <span class="help">{formatCount(needed.total)}</span>}
          </h2>
          <a href="/incidents">All incidents</a>
        </div>
        {needed.total + ownedByLeavers.total === 0 && <p class="help">{CALM[unread]}</p>}
        {needed.items.map(({ row, group }) =>
          row
            ? <IncidentRow key={row.id} {...{ row, next }} />
            : <GroupRow key={group.code} {...{ group, now, next }} />
        )}
        {needed.total > shown && (
          <p>
            <a href="/incidents">{formatCount(needed.total - shown)} more open incidents</a>
          </p>
        )}
        {ownedByLeavers.total > 0 && (
          <p>
            Owned in the service by somebody who left:{" "}
            {ownedByLeavers.items.map(({ name, scheduleId }, at) => [
              at > 0 && " · ",
              <a key={scheduleId} href={scheduleHref(scheduleId)}>{name}</a>,
            ])}
            {ownedByLeavers.total > ownedByLeavers.items.length &&
              ` and ${formatCount(ownedByLeavers.total - ownedByLeavers.items.length)} more`}
          </p>
        )}
        {acknowledged.total > 0 && (
          <p class="fold">
            {formatCount(acknowledged.total)} acknowledged:{" "}
            {acknowledged.items.map(({ id, name, summary, acknowledgedBy, acknowledged }, at) => (
              <span key={id}>
                {at > 0 && " · "}
                <a href={incidentHref(id)}>{name}</a>, {summary} ({acknowledgedBy}
                {acknowledged !== null && [", ", <Day key="day" at={acknowledged} />]})
              </span>
            ))}
          </p>
        )}
        {silenced.total > 0 && (
          <p class="fold">
            {formatCount(silenced.total)} muted or paused:{" "}
            {silenced.items.map(({ name, silence }, at) => (
              <span key={`${silence.kind} ${silence.incidentId} ${silence.scheduleId}`}>
                {at > 0 && " · "}
                <a
                  href={silence.incidentId === null
                    ? scheduleHref(silence.scheduleId ?? "")
                    : incidentHref(silence.incidentId)}
                >
                  {name}
                </a>, <SilenceNote silence={silence} of={name} />
              </span>
            ))}
          </p>
        )}
        {needed.total > 0 && (
          <ForActing>
            <ActingAs />
          </ForActing>
        )}
      </div>
    </section>
  );
}

const CALM = {
  all: "Nothing was read yet.",
  some: "Nothing that was read so far needs attention.",
  none: "Nothing needs attention now.",
} as const;
