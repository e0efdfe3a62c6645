import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Section } from "../../ui/section.tsx";
import { AddressSwitch, PersonName } from "./address.tsx";
import { MAX_LISTED } from "./recipient_choices.ts";
import { claimedCount } from "../../../lib/runs/recipients.ts";

const SHOWN = 20;

const COLUMNS: readonly Column<Recipient>[] = [
  { name: "Person", cell: (recipient) => <PersonName recipient={recipient} /> },
  { name: "User id", kind: "number", cell: ({ userId }) => userId },
];

export function RecipientList({ run, params = "" }: {
  readonly run: ReportRun;
  readonly params?: string;
}) {
  const recipients = run.recipients ?? [];
  const claimed = claimedCount(run);
  const rest = recipients.slice(SHOWN, MAX_LISTED);
  return (
    <Section id="recipients" title="Recipients">
      <p class="help">
        {run.recipients
          ? formatCountOf(recipients.length, "recipient", "recipients")
          : "The service does not list the recipients of this run"}
        {claimed !== null && `, but the recipient count is ${formatCount(claimed)}`}
        {recipients.length > 0 &&
          [" · ", <AddressSwitch key="addresses" anchor="recipients" params={params} />]}
      </p>
      {recipients.length > 0 && (
        <DataTable
          name="Recipients of this run"
          columns={COLUMNS}
          rows={recipients.slice(0, SHOWN)}
        />
      )}
      {rest.length > 0 && (
        <details>
          <summary>{formatCountOf(rest.length, "more recipient", "more recipients")}</summary>
          <DataTable name="More recipients" columns={COLUMNS} rows={rest} />
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
