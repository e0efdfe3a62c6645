import { PageHeader } from "../../../components/page/page_header.tsx";
import { DeliveryTable } from "../../../components/runs/incidents/delivery_table.tsx";
import { ScheduleInput } from "../../../components/runs/incidents/schedule_input.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { Choice } from "../../../components/ui/form.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { sendTest } from "../../../server/observer/actions.ts";
import { OUTLETS } from "../../../server/observer/outlets/outlet.ts";
import { invalidFilter, readFilter } from "./_filter.ts";
import { deliveryRow, outletsFor, recordsOf } from "./_incidents.ts";
import { handler, page } from "./$deliveries.ts";

const PAGE = 50;
const STATES = ["all", "waiting", "sent", "given-up"] as const;
const STATE_WORDS = { all: "all", waiting: "waiting", sent: "sent", "given-up": "given up" };

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { services } = ctx.state;
    const records = recordsOf(services);
    const read = readFilter(searchParams);
    const state = read.choice("state", STATES);
    const outlet = read.choice("outlet", ["all", ...OUTLETS]);
    const { scheduleId, typed } = read.schedule();
    const offset = read.offset();
    const { items, total } = await records.deliveries.list({
      ...(state === "all" ? {} : { state }),
      ...(outlet === "all" ? {} : { outlet }),
      ...(scheduleId === undefined ? {} : { scheduleId }),
      limit: PAGE,
      offset,
    });
    return {
      data: {
        deliveries: items.map(deliveryRow),
        total,
        offset,
        state,
        outlet,
        typed,
        issues: read.issues,
        outlets: outletsFor(services).map(({ name }) => name),
        done: searchParams.get("done"),
      },
      ...(read.issues.length > 0 && { status: 400 }),
    };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { services, origin } = ctx.state;
    const records = recordsOf(services);
    const replay = form.get("replay");
    const now = Date.now();
    if (replay !== null) {
      const isDone = await records.deliveries.replay(replay, now);
      if (!isDone) throw new ProblemError(404, "There is no such delivery");
      return ctx.redirect("/incidents/deliveries?done=replay", 303);
    }
    const outlet = outletsFor(services).find(({ name }) => name === form.get("test"));
    if (!outlet) throw new ProblemError(400, "That outlet is not configured");
    await sendTest(records, outlet, { origin, now });
    return ctx.redirect("/incidents/deliveries?done=test", 303);
  },
});

export default page(({ data }) => {
  const { deliveries, total, offset, state, outlet, typed, issues, outlets, done } = data;
  const isFiltered = state !== "all" || outlet !== "all" || typed !== "";
  const href = (start: number) =>
    `/incidents/deliveries?${new URLSearchParams({
      state,
      outlet,
      ...(typed && { schedule: typed }),
      offset: String(start),
    })}`;
  return (
    <>
      <PageHeader title="Deliveries" path={[["/incidents", "Incidents"]]} />
      {done && (
        <p class="notice" role="status">
          {done === "test" ? "The test will be sent shortly." : "It will be sent again shortly."}
        </p>
      )}
      {outlets.length > 0
        ? (
          <form method="post" action="/incidents/deliveries" class="card">
            <h2>Send a test</h2>
            <div class="row">
              {outlets.map((name) => (
                <button key={name} type="submit" name="test" value={name}>{name}</button>
              ))}
            </div>
          </form>
        )
        : (
          <p class="notice">
            Incidents are only shown here. To have them sent, set WEBHOOK_URL, ALERTMANAGER_URL or
            SMTP_URL.
          </p>
        )}
      <form method="get" action="/incidents/deliveries" class="panel" autocomplete="off">
        <fieldset>
          <legend>Filter</legend>
          <div class="inputs">
            <Choice
              name="state"
              label="State"
              selected={state}
              options={STATES.map((value) => ({ value, text: STATE_WORDS[value] }))}
            />
            <Choice
              name="outlet"
              label="Outlet"
              selected={outlet}
              options={["all", ...OUTLETS].map((value) => ({ value, text: value }))}
            />
            <ScheduleInput typed={typed} />
            <button type="submit">Filter</button>
          </div>
        </fieldset>
      </form>
      {issues.length > 0 ? <ErrorNotice error={invalidFilter(issues)} /> : (
        <>
          <DeliveryTable deliveries={deliveries} isFiltered={isFiltered} />
          <Pager
            position={{ start: offset, count: deliveries.length, limit: PAGE, total }}
            href={href}
            label="Pages of deliveries"
          />
        </>
      )}
    </>
  );
});
