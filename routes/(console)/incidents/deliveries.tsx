import { FormKey } from "../../../components/ui/form_key.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { DeliveryTable } from "../../../components/runs/incidents/delivery_table.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { outletLabels } from "../../../server/observer/channel_health.ts";
import { sendTest } from "../../../server/observer/actions.ts";
import { OUTLETS } from "../../../server/observer/outlets/outlet.ts";
import { redirectWithNotice } from "../_actions.ts";
import { deliveryRow, outletsFor, recordsOf } from "./_incidents.ts";
import { FilteredList, readList } from "./_list.tsx";
import { handler, page } from "./$deliveries.ts";

const CHOICES = {
  state: ["all", "waiting", "sent", "given-up"],
  outlet: ["all", ...OUTLETS],
} as const;

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { services } = ctx.state;
    const { filter, list, ...answer } = readList(searchParams, CHOICES);
    const records = recordsOf(services);
    const { items, total } = await records.messages.list(filter);
    const label = await outletLabels(records);
    return {
      data: {
        list,
        deliveries: items.map((item) => deliveryRow(item, label)),
        total,
        now: Date.now(),
        outlets: outletsFor(services).map(({ name }) => name),
      },
      ...answer,
    };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { services, origin } = ctx.state;
    const records = recordsOf(services);
    const replay = form.get("replay");
    const now = Date.now();
    if (replay !== null) {
      const isDone = await records.messages.sendAgain(replay, now);
      if (!isDone) throw new ProblemError(404, "There is no such delivery");
      return redirectWithNotice(ctx, "/incidents/deliveries", "delivery-replay");
    }
    const outlet = outletsFor(services).find(({ name }) => name === form.get("test"));
    if (!outlet) throw new ProblemError(400, "That outlet is not configured");
    await sendTest(records, outlet, { origin, now });
    return redirectWithNotice(ctx, "/incidents/deliveries", "delivery-test");
  },
});

export default page(({ data: { list, deliveries, total, outlets, now } }) => (
  <>
    <PageHeader title="Deliveries" path={[["/incidents", "Incidents"]]} />
    {outlets.length > 0
      ? (
        <ForActing>
          <form method="post" action="/incidents/deliveries" class="card">
            <FormKey />
            <h2>Send a test</h2>
            <div class="row">
              {outlets.map((name) => (
                <button key={name} type="submit" name="test" value={name}>{name}</button>
              ))}
            </div>
          </form>
        </ForActing>
      )
      : (
        <p class="notice">
          Incidents of schedules without an <a href="/owners">owner</a>{" "}
          are only shown here. To have them sent, set WEBHOOK_URL, ALERTMANAGER_URL or MAIL_TO.
        </p>
      )}
    <FilteredList
      path="/incidents/deliveries"
      list={list}
      label="Pages of deliveries"
      count={deliveries.length}
      total={total}
    >
      <DeliveryTable deliveries={deliveries} isFiltered={list.isFiltered} now={now} />
    </FilteredList>
  </>
));
