import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { type Column, DataTable } from "../../../components/ui/list.tsx";
import { Field, OperatorsOnly } from "../../../components/ui/form.tsx";
import { CalendarDay } from "../../../components/ui/moment.tsx";
import { Change, Section } from "../../../components/ui/section.tsx";
import { MAX_UPLOAD_BYTES, readFormBody } from "../../../server/http/request_body.ts";
import { removeCalendar, saveCalendar } from "../../../server/actions/save_calendar.ts";
import { loadOwners } from "../../../server/pages/owner_pages.ts";
import { fieldIssues, formProblem, openForm } from "../_actions.ts";
import {
  ChangeForm,
  type OwnerFields,
  OwnerForm,
  saveOwnerForm,
  withoutSecrets,
} from "./_owner_form.tsx";
import { handler, page } from "./$index.ts";

type Shown = Awaited<ReturnType<typeof loadOwners>>;

const NONE: OwnerFields = {};

export const handlers = handler({
  GET: async ({ state }) => ({ data: { ...await loadOwners(state), issues: NONE } }),

  async POST(ctx) {
    // The form may contain a calendar.
    const { form, services, acting, go } = await openForm(
      ctx,
      (request) => readFormBody(request, 60_000, MAX_UPLOAD_BYTES),
    );
    const refuse = async (issues: OwnerFields) => ({
      data: { ...await loadOwners(ctx.state), fields: withoutSecrets(form), issues },
      status: 400,
    });
    if (form.get("action") === "save") {
      const name = form.get("owner")?.trim() ?? "";
      const issues = await services.records.owners.get(name)
        ? { owner: "is taken: open the owner's page to change it" }
        : await saveOwnerForm(services, form, name, acting);
      return Object.keys(issues).length === 0
        ? go(ownerHref(name), "saved-owner")
        : await refuse(issues);
    }
    const removed = form.get("remove-calendar");
    const calendar = {
      name: form.get("calendar") ?? "",
      days: form.get("days") ?? "",
      scheduleIds: form.get("schedules") ?? "",
    };
    let skipped = 0;
    const problem = await formProblem(async () => {
      if (removed !== null) return await removeCalendar(services, removed, acting());
      ({ skipped } = await saveCalendar(services, calendar, acting()));
    });
    if (problem === null) {
      return go("/owners", removed ? "removed-calendar" : `saved-calendar:${skipped}`);
    }
    return await refuse(fieldIssues(problem, { name: "calendar", scheduleIds: "schedules" }));
  },
});

export default page(({ data: { rows, defaults, calendars, fields, issues } }) => (
  <>
    <PageHeader title="Owners" wrong={issues.person && `${issues.person}.`} />
    <div class="beside">
      <div>
        <DataTable
          name="Owners"
          columns={COLUMNS}
          rows={rows}
          empty="Nobody owns a schedule yet. An owner's incidents go to the owner's channels."
        />
        <OperatorsOnly>
          <Change name="Add owner" open={fields.owner !== undefined}>
            <OwnerForm action="/owners" button="Add owner" fields={fields} issues={issues} />
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
    <Calendars calendars={calendars} fields={fields} issues={issues} />
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

/** Days without runs, and the form for more. `fields` are what was typed before an error. */
function Calendars({ calendars, fields, issues }: Pick<Shown, "calendars"> & {
  readonly fields: OwnerFields;
  readonly issues: OwnerFields;
}) {
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
        <Change name="Add calendar" open={fields.calendar !== undefined}>
          <ChangeForm
            id={CALENDAR_FORM}
            action="/owners"
            button="Save calendar"
            person={fields.name}
          >
            <Field
              name="calendar"
              label="Name of the calendar"
              required
              maxLength={100}
              value={fields.calendar}
              issue={issues.calendar}
            />
            <Field
              name="days"
              label="Days"
              help="Such as 2026-12-24, 2026-12-25, or the text of an iCalendar file of at most 1 MB."
              rows={4}
              required
              value={fields.days}
              issue={issues.days && `are not saved. ${issues.days}`}
            />
            <Field
              name="schedules"
              label="For schedules"
              help="Such as 101, 105-112. Empty: all."
              value={fields.schedules}
              issue={issues.schedules}
            />
          </ChangeForm>
        </Change>
      </OperatorsOnly>
    </Section>
  );
}
