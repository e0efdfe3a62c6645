import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { Field } from "../../../components/ui/form.tsx";
import { CalendarDay } from "../../../components/ui/moment.tsx";
import { OperatorsOnly } from "../../../components/ui/acting.tsx";
import { Change, Section } from "../../../components/ui/section.tsx";
import { ChangeForm, type OwnerFields } from "./_owner_form.tsx";
import type { loadOwners } from "../../../server/pages/owner_pages.ts";

const FORM = "calendar-form";

type Shown = Awaited<ReturnType<typeof loadOwners>>;

const COLUMNS: readonly Column<Shown["calendars"][number]>[] = [
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
          form={FORM}
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
export function Calendars({ calendars, fields, issues }: Pick<Shown, "calendars"> & {
  readonly fields: OwnerFields;
  readonly issues: OwnerFields;
}) {
  return (
    <Section id="calendars" title="Calendars">
      <p class="help">Days without runs, such as holidays. Runs planned on them are not missed.</p>
      {/* The first button, so that Enter in a field removes no calendar. */}
      <button type="submit" form={FORM} hidden />
      <DataTable
        name="Days without runs"
        columns={COLUMNS}
        rows={calendars}
        empty="There are no calendars yet."
      />
      <OperatorsOnly>
        <Change name="Add calendar" open={fields.calendar !== undefined}>
          <ChangeForm
            id={FORM}
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
