import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList, type ChannelRow } from "../../../components/runs/owners/channel_list.tsx";
import {
  ChangeForm,
  type OwnerFields,
  OwnerForm,
} from "../../../components/runs/owners/owner_form.tsx";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { Field, Labelled } from "../../../components/ui/form.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { actorText } from "../../../lib/judgement/actor.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { MAX_UPLOAD_BYTES, readFormBody } from "../../../server/http/request_body.ts";
import { idRanges } from "../../../server/schedules/coverage.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import { removeCalendar, saveCalendar } from "../../../server/actions/save_calendar.ts";
import type { StoredCalendar } from "../../../server/store/records/calendars.ts";
import type { ConsoleState } from "../_middleware.ts";
import {
  fieldIssues,
  formActor,
  formProblem,
  NAME_MISSING,
  redirectWithNotice,
  rememberName,
} from "../_actions.ts";
import { recordsOf } from "../../../server/pages/page_request.ts";
import { loadChannels } from "../../../server/pages/channels.ts";
import { ownerFields, saveOwnerForm, withoutSecrets } from "./_owners.ts";
import { handler, page } from "./$index.ts";

interface OwnerRow {
  readonly name: string;
  readonly channels: readonly ChannelRow[];
  readonly schedules: number;
  readonly open: number;
  readonly quiet: string;
}

export const handlers = handler({
  GET: async ({ state, req }) => ({ data: await load(state, ownerFields(state, req.headers)) }),

  async POST(ctx) {
    // The form may contain a calendar.
    const form = await readFormBody(ctx.req, 60_000, MAX_UPLOAD_BYTES);
    const { state } = ctx;
    const now = Date.now();
    const records = recordsOf(state.services);
    const done = (
      to: string,
      notice: "saved-owner" | `saved-calendar:${number}` | "removed-calendar",
    ) => rememberName(redirectWithNotice(ctx, to, notice), form, state.origin);
    const refuse = async (issues: OwnerFields) => ({
      data: await load(state, withoutSecrets(form), issues),
      status: 400,
    });
    const actor = formActor(state, form);
    if (!actor) return await refuse({ person: NAME_MISSING });
    if (form.get("action") === "save") {
      const name = form.get("owner")?.trim() ?? "";
      const issues = await records.owners.get(name)
        ? { owner: "is taken: open the owner's page to change it" }
        : await saveOwnerForm(state, form, name, { actor, now });
      return Object.keys(issues).length === 0
        ? done(ownerHref(name), "saved-owner")
        : await refuse(issues);
    }
    const removed = form.get("remove-calendar");
    if (removed !== null) {
      if (!await removeCalendar(actionServices(state), removed, { actor, now })) {
        throw new ProblemError(404, "There is no such calendar");
      }
      return done("/owners#calendars", "removed-calendar");
    }
    const calendar = {
      name: form.get("calendar") ?? "",
      days: form.get("days") ?? "",
      scheduleIds: form.get("schedules") ?? "",
    };
    let skipped = 0;
    const problem = await formProblem(async () => {
      ({ skipped } = await saveCalendar(actionServices(state), calendar, { actor, now }));
    });
    if (problem === null) return done("/owners#calendars", `saved-calendar:${skipped}`);
    const { name, days, scheduleIds } = fieldIssues(problem);
    return await refuse({ calendar: name ? `Its name ${name}` : days, schedules: scheduleIds });
  },
});

async function load({ services }: ConsoleState, fields: OwnerFields, issues: OwnerFields = {}) {
  const records = recordsOf(services);
  const [owners, schedules, channels, calendars] = await Promise.all([
    records.owners.list(),
    records.owners.schedules(),
    loadChannels(services),
    records.calendars.list(),
  ]);
  const byKey = new Map(owners.map((owner) => [owner.key, owner]));
  // Schedules may name an owner without channels.
  const rows = [...new Set([...byKey.keys(), ...schedules.keys()])].map((key): OwnerRow => {
    const owner = byKey.get(key);
    const { quiet = null } = owner ?? {};
    const { name = "", ids = [], open = 0 } = schedules.get(key) ?? {};
    return {
      name: owner?.name ?? name,
      channels: channels.of(owner),
      schedules: ids.length,
      open,
      quiet: quiet ? `${quiet.from}–${quiet.to} ${quiet.zone}` : "",
    };
  });
  return { rows, defaults: channels.defaults, calendars, fields, issues, now: Date.now() };
}

function ownerColumns(now: number): readonly Column<OwnerRow>[] {
  return [
    { name: "Owner", cell: ({ name }) => <a href={ownerHref(name)}>{name}</a> },
    {
      name: "Channels",
      kind: "sentence",
      cell: ({ channels }) =>
        channels.length > 0
          ? <ChannelList channels={channels} now={now} />
          : <span class="missing">default channels</span>,
    },
    { name: "Schedules", kind: "number", cell: ({ schedules }) => schedules },
    { name: "Open incidents", kind: "number", cell: ({ open }) => open },
    { name: "Quiet hours", cell: ({ quiet }) => quiet || null },
  ];
}

const CALENDAR_COLUMNS: readonly Column<StoredCalendar>[] = [
  { name: "Calendar", cell: ({ name }) => name },
  { name: "Days", kind: "number", cell: ({ days }) => days.length },
  { name: "From", cell: ({ days }) => days[0] },
  { name: "To", cell: ({ days }) => days.at(-1) },
  { name: "Schedules", cell: ({ scheduleIds }) => scheduleIds ? idRanges(scheduleIds) : "all" },
  { name: "Saved by", cell: ({ actor }) => actorText(actor) },
  {
    name: "Remove",
    isUnseen: true,
    cell: ({ name }) => (
      <ForActing>
        <button
          type="submit"
          class="quiet"
          form="calendar-form"
          formnovalidate
          name="remove-calendar"
          value={name}
        >
          Remove <span class="unseen">{name}</span>
        </button>
      </ForActing>
    ),
  },
];

export default page(({ data: { rows, defaults, calendars, fields, issues, now } }) => (
  <>
    <PageHeader title="Owners" />
    {(issues.person ?? issues.calendar) && (
      <p class="notice bad" role="alert">{issues.person ?? issues.calendar}.</p>
    )}
    <DataTable
      name="Owners"
      columns={ownerColumns(now)}
      rows={rows}
      keyOf={({ name }) => name}
      empty="There are no owners yet."
    />
    <ForActing>
      <details class="change" id="add" open={fields.owner !== undefined}>
        <summary class="button">Add owner</summary>
        <OwnerForm action="/owners" button="Add owner" fields={fields} issues={issues} />
      </details>
    </ForActing>
    <p class="help">
      Incidents go to the channels of the schedule's owner. Without an owner or a channel, {defaults
          .length === 0
        ? "nobody is notified: set WEBHOOK_URL, ALERTMANAGER_URL or MAIL_TO."
        : "they go to:"}
    </p>
    <ChannelList channels={defaults} now={now} />
    <h2 id="calendars">Calendars</h2>
    <p class="help">Days without runs, such as holidays. Runs planned on them are not missed.</p>
    <DataTable
      name="Calendars"
      columns={CALENDAR_COLUMNS}
      rows={calendars}
      keyOf={({ name }) => name}
      empty="There are no calendars yet."
    />
    <ForActing>
      <details class="change" open={fields.calendar !== undefined}>
        <summary class="button">Add calendar</summary>
        <ChangeForm
          id="calendar-form"
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
          />
          <Labelled name="days" label="Days, or the text of an iCalendar file">
            <textarea id="days" name="days" rows={4} cols={34} required spellcheck={false}>
              {fields.days}
            </textarea>
            <p class="help">Such as 2026-12-24, 2026-12-25. A file has at most 1 MB.</p>
          </Labelled>
          <Field
            name="schedules"
            label="For schedules"
            value={fields.schedules}
            issue={issues.schedules}
          >
            <p class="help">Such as 101, 105-112. Empty: all.</p>
          </Field>
        </ChangeForm>
      </details>
    </ForActing>
  </>
));
