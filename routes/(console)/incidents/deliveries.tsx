import { PageHeader } from "../../../components/page/page_header.tsx";
import { ActionForm } from "../../../components/ui/form.tsx";
import { type Column, DataTable, FilteredRows, Segments } from "../../../components/ui/list.tsx";
import { withValues } from "../../../components/ui/query.ts";
import { sendMessageAgain, testOutlet } from "../../../server/actions/test_channels.ts";
import { DELIVERY_STATES, loadDeliveries } from "../../../server/pages/incidents.ts";
import { openForm } from "../_actions.ts";
import { When } from "../../../components/ui/moment.tsx";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { DeliveryState } from "./_incident.tsx";
import { handler, page } from "./$deliveries.ts";

const PATH = "/incidents/deliveries";

export const handlers = handler({
  GET: async ({ state, url }) => ({ data: await loadDeliveries(state, url.searchParams) }),

  async POST(ctx) {
    const { form, services, now, go } = await openForm(ctx);
    const replay = form.get("replay");
    if (replay !== null) {
      await sendMessageAgain(services, replay, now);
      return go(PATH, "delivery-replay");
    }
    await testOutlet(services, form.get("test") ?? "", now);
    return go(PATH, "delivery-test");
  },
});

const WORDS = { all: "All", waiting: "Waiting", sent: "Sent", "given-up": "Failed" } as const;

export default page(({ data: { deliveries, position, state, outlets, counts } }) => {
  const href = (values: Readonly<Record<string, string | number>>) =>
    withValues(PATH, { state, ...values });
  return (
    <>
      <PageHeader title="Deliveries" trail={[["/incidents", "Incidents"]]} />
      <div class="line filter-line">
        <Segments
          label="Deliveries by state"
          segments={DELIVERY_STATES.map((each) => ({
            name: WORDS[each],
            count: counts[each],
            tone: each === "given-up" && counts[each] > 0 ? "bad" : undefined,
            href: href({ state: each }),
            isCurrent: each === state,
          }))}
        />
      </div>
      <FilteredRows
        position={position}
        href={(offset) => href({ offset })}
        label="Pages of deliveries"
        empty={state !== "all" ? "No deliveries match." : EMPTY}
      >
        <DataTable name="Deliveries" columns={COLUMNS} rows={deliveries} />
      </FilteredRows>
      {outlets.length > 0 && (
        <ActionForm action={PATH} class="row">
          Send a test by{" "}
          {outlets.map((name) => (
            <button key={name} type="submit" name="test" value={name}>{name}</button>
          ))}
        </ActionForm>
      )}
    </>
  );
});

const EMPTY = (
  <>
    Nothing has been sent yet. Incidents go to <a href="/owners">the channels of owners</a>{" "}
    and to WEBHOOK_URL, ALERTMANAGER_URL and MAIL_TO.
  </>
);

const COLUMNS: readonly Column<Awaited<ReturnType<typeof loadDeliveries>>["deliveries"][number]>[] =
  [
    {
      name: "Message",
      kind: "sentence",
      cell: ({ incidentId, subject, summary }) => (
        <>
          {incidentId === null ? subject : <a href={incidentHref(incidentId)}>{subject}</a>}{" "}
          <small>{summary}</small>
        </>
      ),
    },
    { name: "State", kind: "sentence", cell: (delivery) => <DeliveryState {...delivery} /> },
    { name: "Channel", cell: ({ outlet }) => outlet },
    { name: "Created", cell: ({ created }) => <When at={created} hasDistance /> },
    { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
    {
      name: "Send again",
      isUnseen: true,
      cell: ({ id, isRemoved, error, subject }) =>
        error !== null && !isRemoved && (
          <ActionForm action={PATH}>
            <button type="submit" name="replay" value={id}>
              Send again <span class="unseen">{subject}</span>
            </button>
          </ActionForm>
        ),
    },
  ];
