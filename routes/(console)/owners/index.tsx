import { useContext } from "preact/hooks";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { type Column, DataTable } from "../../../components/ui/list.tsx";
import { Field, OperatorsOnly, Refused } from "../../../components/ui/form.tsx";
import { CalendarDay } from "../../../components/ui/moment.tsx";
import { Change, Section } from "../../../components/ui/section.tsx";
import { MAX_UPLOAD_BYTES, readFormBody } from "../../../server/http/request_body.ts";
import { removeCalendar, saveCalendar } from "../../../server/actions/save_calendar.ts";
import { loadOwners } from "../../../server/pages/owner_pages.ts";
import { openForm } from "../_actions.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { ChangeForm, OWNER_FIELDS, OwnerForm, readOwner, requireFreeName } from "./_owner_form.tsx";
import { handler, page } from "./$index.ts";

type Shown = Awaited<ReturnType<typeof loadOwners>>;

export const handlers = handler({
  GET: async ({ state }) => ({ data: await loadOwners(state) }),

  async POST(ctx) {
    // The form may contain a calendar.
    const { form, services, acting, attempt, go } = await openForm(
      ctx,
      (request) => readFormBody(request, 60_000, MAX_UPLOAD_BYTES),
    );
    const text = (field: string) => form.get(field)?.trim() ?? "";
    const isOwner = form.get("action") === "save";
    const removed = form.get("remove-calendar");
    const calendar = { name: text("calendar"), days: text("days"), scheduleIds: text("schedules") };
    let skipped = 0;
    const status = await attempt(async () => {
      if (isOwner) {
        await requireFreeName(services, text("owner"));
        await saveOwner(services, readOwner(form, text("owner")), acting());
      } else if (removed !== null) await removeCalendar(services, removed, acting());
      else ({ skipped } = await saveCalendar(services, calendar, acting()));
    }, isOwner ? OWNER_FIELDS : { name: "calendar", scheduleIds: "schedules" });
    if (status !== null) return { data: await loadOwners(ctx.state), status };
    if (isOwner) return go(ownerHref(text("owner")), "saved-owner");
    return go("/owners", removed ? "removed-calendar" : `saved-calendar:${skipped}`);
  },
});

export default page(({ data: { rows, defaults, calendars, fields } }) => (
  <>
    <PageHeader title="Owners" />
    <div class="beside">
      <div>
        <DataTable
          name="Owners"
          columns={COLUMNS}
          rows={rows}
          empty="Nobody owns a schedule yet. An owner's incidents go to the owner's channels."
        />
        <OperatorsOnly>
          <Change name="Add owner" field="owner">
            <OwnerForm action="/owners" button="Add owner" fields={fields} />
          </Change>
        </OperatorsOnly>
      </div>
      <div id="side">
        <Section id="defaults" title="Default channels">
          <p class="help">
            For incidents without an owner's channel. {defaults.length === 0 &&
              "Nobody is notified of them: set WEBHOOK_URL, ALERTMANAGER_URL or MAIL_TO."}
          </p>
          <ChannelList channels={defaults} />
        </Section>
      </div>
    </div>
    <Calendars calendars={calendars} />
  </>
));

const COLUMNS: readonly Column<Shown["rows"][number]>[] = [
  { name: "Owner", kind: "sentence", cell: ({ name }) => <a href={ownerHref(name)}>{name}</a> },
  {
    name: "Channels",
    kind: "sentence",
    cell: ({ channels }) =>
      channels.length > 0
        ? <ChannelList channels={channels} />
        : <span class="missing">default channels</span>,
  },
  { name: "Schedules", kind: "number", cell: ({ schedules }) => schedules },
  { name: "Open incidents", kind: "number", cell: ({ open }) => open },
  { name: "Quiet hours", cell: ({ quiet }) => quiet || null },
];

const CALENDAR_FORM = "calendar-form";

const CALENDAR_COLUMNS: readonly Column<Shown["calendars"][number]>[] = [
  { name: "Calendar", cell: ({ name }) => name },
  { name: "Days", kind: "number", cell: ({ days }) => days },
  { name: "From", cell: ({ from }) => from && <CalendarDay date={from} /> },
  { name: "To", cell: ({ to }) => to && <CalendarDay date={to} /> },
  { name: "Schedules", cell: ({ schedules }) => schedules },
  { name: "Saved by", cell: ({ by }) => by },
  {
    name: "Remove",
    isUnseen: true,
    cell: ({ name }) => (
      <OperatorsOnly>
        <button
          type="submit"
          class="quiet"
          form={CALENDAR_FORM}
          formnovalidate
          name="remove-calendar"
          value={name}
        >
          Remove <span class="unseen">{name}</span>
        </button>
      </OperatorsOnly>
    ),
  },
];

/** Days without runs, and the form for more. */
function Calendars({ calendars }: Pick<Shown, "calendars">) {
  const { days } = useContext(Refused).issues;
  return (
    <Section id="calendars" title="Calendars">
      <p class="help">Days without runs, such as holidays. Runs planned on them are not missed.</p>
      {/* The first button, so that Enter in a field removes no calendar. */}
      <button type="submit" form={CALENDAR_FORM} hidden />
      <DataTable
        name="Days without runs"
        columns={CALENDAR_COLUMNS}
        rows={calendars}
        empty="There are no calendars yet."
      />
      <OperatorsOnly>
        <Change name="Add calendar" field="calendar">
          <ChangeForm id={CALENDAR_FORM} action="/owners" button="Save calendar">
            <Field name="calendar" label="Name of the calendar" required maxLength={100} />
            <Field
              name="days"
              label="Days"
              help="Such as 2026-12-24, 2026-12-25, or the text of an iCalendar file of at most 1 MB."
              rows={4}
              required
              issue={days && `are not saved. ${days}`}
            />
            <Field
              name="schedules"
              label="For schedules"
              help="Such as 101, 105-112. Empty: all."
            />
          </ChangeForm>
        </Change>
      </OperatorsOnly>
    </Section>
  );
}
