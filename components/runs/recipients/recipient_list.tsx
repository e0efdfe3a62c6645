import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Section } from "../../ui/section.tsx";
import type { StatusMeaning } from "../../../lib/runs/status.ts";
import { HEADINGS } from "../incidents/recipients.tsx";
import { AddressSwitch, PersonName } from "./address.tsx";
import { MAX_LISTED } from "./recipient_choices.ts";
import { claimedCount, countListed } from "../../../lib/runs/recipients.ts";

const SHOWN = 20;

const COLUMNS: readonly Column<Recipient>[] = [
  { name: "Person", cell: (recipient) => <PersonName recipient={recipient} /> },
  // Of somebody forgotten, it is below 0 and none of the service.
  { name: "User id", kind: "number", cell: ({ userId }) => Number(userId) > 0 ? userId : null },
];

export function RecipientList({ run, meaning }: {
  readonly run: ReportRun;
  readonly meaning: StatusMeaning;
}) {
  const recipients = run.recipients ?? [];
  const claimed = claimedCount(run);
  const rest = recipients.slice(SHOWN, MAX_LISTED);
  return (
    <Section
      id="recipients"
      title={HEADINGS[meaning]}
      more={recipients.length > 0 && <AddressSwitch anchor="recipients" />}
    >
      {claimed !== null && (
        <p class="help">
          {formatCount(countListed(run) ?? 0)} listed; the service counts {formatCount(claimed)}.
        </p>
      )}
      <DataTable
        name="Recipients of this run"
        class="few"
        columns={COLUMNS}
        rows={recipients.slice(0, SHOWN)}
        empty={run.recipients
          ? "Nobody is listed."
          : "The service does not list the recipients of this run."}
      />
      {rest.length > 0 && (
        <details>
          <summary>{formatCountOf(rest.length, "more recipient", "more recipients")}</summary>
          <DataTable name="More recipients" class="few" columns={COLUMNS} rows={rest} />
        </details>
      )}
      {recipients.length > MAX_LISTED && (
        <p class="help">
          Only the first {formatCount(MAX_LISTED)}{" "}
          are listed; an export of the runs as JSON has all of them.
        </p>
      )}
    </Section>
  );
}
