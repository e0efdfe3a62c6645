import { AddressSwitch } from "../../../../components/runs/recipients/address.tsx";
import { MAX_LISTED } from "../../../../components/runs/recipients/recipient_choices.ts";
import { RecipientTable } from "../../../../components/runs/recipients/recipient_table.tsx";
import { scheduleHref } from "../../../../components/runs/run_links.ts";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { type Column, DataTable } from "../../../../components/ui/data_table.tsx";
import { formatCount, formatCountOf } from "../../../../components/ui/format.ts";
import { LoneMoment } from "../../../../components/ui/moment.tsx";
import type { RecipientDomain } from "../../../../lib/runs/recipients.ts";
import { loadPage } from "../../../_errors.ts";
import { loadSchedule, recipientsOf } from "../_runs.ts";
import { handler, page } from "./$recipients.ts";

/** The most warnings before the table. */
const MAX_NEWCOMERS = 20;

export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, async () => {
      const schedule = await loadSchedule(ctx);
      return { ...schedule, ...recipientsOf(schedule.loaded, ctx.state.preferences.statuses) };
    }),
});

export default page(({ data: { shown, error }, params, url, state }) => {
  const addressesShown = url.searchParams.get("addresses") === "shown";
  return (
    <>
      <ScheduleHeader
        subject="Recipients"
        scheduleId={params.scheduleId}
        current="recipients"
        shown={shown}
        error={error}
        watch={state.preferences.watch}
      />
      {shown?.newcomers.slice(0, MAX_NEWCOMERS).map(({ history, domain }) => (
        <div key={history.key} class="notice warning">
          <p>
            <strong>⚠ {domain}</strong> is a new external domain: the first run sent there was{" "}
            <LoneMoment at={history.first.startTime} />. This recipient received{" "}
            {formatCountOf(history.count, "run", "runs")}.
          </p>
        </div>
      ))}
      {shown && shown.newcomers.length > MAX_NEWCOMERS && (
        <p>
          {formatCountOf(
            shown.newcomers.length - MAX_NEWCOMERS,
            "further recipient",
            "further recipients",
          )} on new external domains.
        </p>
      )}
      {shown?.histories.length === 0 && (
        <div class="empty">
          <p>None of these runs lists its recipients.</p>
        </div>
      )}
      {shown && shown.histories.length > 0 && (
        <>
          <p class="help" id="recipients">
            {formatCountOf(shown.histories.length, "recipient", "recipients")} ·{" "}
            <AddressSwitch shown={addressesShown} anchor="recipients" />
          </p>
          <RecipientTable
            histories={shown.histories.slice(0, MAX_LISTED)}
            external={new Set(shown.newcomers.map(({ history }) => history.key))}
            scheduleId={shown.scheduleId}
            addressesShown={addressesShown}
          />
          {shown.histories.length > MAX_LISTED && (
            <p class="help">
              Only the first {formatCount(MAX_LISTED)} are listed; the CSV export has all of them.
            </p>
          )}
          <Export scheduleId={shown.scheduleId} />
          <h2>Domains</h2>
          <DataTable
            name="Domains"
            caption="Email domains"
            class="narrow-table"
            columns={DOMAINS}
            rows={shown.domains.slice(0, MAX_LISTED)}
          />
        </>
      )}
    </>
  );
});

function Export({ scheduleId }: { readonly scheduleId: number }) {
  const path = `${scheduleHref(scheduleId)}/recipients.csv`;
  return (
    <p class="help">
      Export the recipients of every run as CSV: <a href={path}>masked addresses</a> or{" "}
      <a href={`${path}?addresses=shown`}>full addresses</a>. The whole history is read. If a
      download is interrupted, the file is incomplete.
    </p>
  );
}

const DOMAINS: readonly Column<RecipientDomain>[] = [
  { name: "Domain", cell: ({ domain }) => domain },
  { name: "Recipients", kind: "number", cell: ({ recipients }) => formatCount(recipients) },
  {
    name: "First seen",
    cell: ({ firstSeen }) =>
      firstSeen === null ? null : <LoneMoment at={new Date(firstSeen).toISOString()} />,
  },
];
