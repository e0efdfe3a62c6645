import { formatCount, formatCountOf } from "../../../../components/ui/format.ts";
import { LoneMoment, Missing } from "../../../../components/ui/moment.tsx";
import { AddressSwitch } from "../../../../components/runs/address.tsx";
import { RecipientTable } from "../../../../components/runs/recipient_table.tsx";
import { ScheduleTop } from "../../../../components/runs/schedule_head.tsx";
import {
  outsideNewcomers,
  type RecipientDomain,
  recipientDomains,
  recipientHistories,
} from "../../../../lib/runs/recipients.ts";
import { pageTrouble } from "../../../_trouble.ts";
import { loadSchedule, titleOf } from "../_runs.ts";
import { handler, page } from "./$recipients.ts";

export const handlers = handler({
  async GET(ctx) {
    const addressesShown = ctx.url.searchParams.get("addresses") === "shown";
    const place = { ...ctx.params, addressesShown };
    try {
      const schedule = await loadSchedule(ctx);
      const { runs } = schedule.loaded;
      const histories = recipientHistories(runs, ctx.state.preferences.statuses);
      const newcomers = outsideNewcomers(runs, histories);
      const shown = {
        ...schedule,
        histories,
        newcomers,
        domains: recipientDomains(histories),
        title: titleOf(schedule),
      };
      return { data: { ...place, shown, trouble: null } };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { ...place, shown: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { scheduleId, addressesShown, shown, trouble }, state }) => {
  return (
    <>
      <ScheduleTop
        subject="Recipients"
        scheduleId={scheduleId}
        present="recipients"
        shown={shown}
        trouble={trouble}
        watch={state.preferences.watch}
      />
      {shown && (
        <>
          {shown.newcomers.map(({ history, domain }) => (
            <div key={history.key} class="notice odd">
              <p>
                <strong>⚠ {domain}</strong> is new: no run before{" "}
                <LoneMoment at={history.first.startTime} /> was sent there.{" "}
                {formatCountOf(history.count, "run", "runs")} list this recipient.
              </p>
            </div>
          ))}
          {shown.histories.length === 0
            ? (
              <div class="empty">
                <p>None of these runs lists a recipient.</p>
              </div>
            )
            : (
              <>
                <p class="help" id="recipients">
                  {formatCountOf(shown.histories.length, "recipient", "recipients")} ·{" "}
                  <AddressSwitch shown={addressesShown} anchor="recipients" />
                </p>
                <RecipientTable
                  histories={shown.histories}
                  outside={new Set(shown.newcomers.map(({ history }) => history.key))}
                  scheduleId={shown.scheduleId}
                  addressesShown={addressesShown}
                />
                <Export scheduleId={shown.scheduleId} />
                <h2>Domains</h2>
                <Domains domains={shown.domains} />
              </>
            )}
        </>
      )}
    </>
  );
});

function Export({ scheduleId }: { readonly scheduleId: number }) {
  const path = `/schedules/${scheduleId}/recipients.csv`;
  return (
    <p class="help">
      Export every run as CSV, one row for each run and recipient:{" "}
      <a href={path}>addresses masked</a> or{" "}
      <a href={`${path}?addresses=shown`}>with addresses</a>. All pages are read, and a download
      that breaks off is not whole.
    </p>
  );
}

function Domains({ domains }: { readonly domains: readonly RecipientDomain[] }) {
  return (
    <div class="scroll narrow-table" role="region" aria-label="Domains" tabIndex={0}>
      <table>
        <caption class="unseen">Domains of the addresses</caption>
        <thead>
          <tr>
            <th scope="col">domain</th>
            <th scope="col" class="number">recipients</th>
            <th scope="col">first seen</th>
          </tr>
        </thead>
        <tbody>
          {domains.map(({ domain, recipients, firstSeen }) => (
            <tr key={domain}>
              <th scope="row">{domain}</th>
              <td class="number">{formatCount(recipients)}</td>
              <td>
                {firstSeen === null
                  ? <Missing />
                  : <LoneMoment at={new Date(firstSeen).toISOString()} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
