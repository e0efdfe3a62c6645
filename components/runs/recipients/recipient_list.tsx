import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Address, AddressesShown, AddressSwitch } from "./address.tsx";
import { MAX_LISTED } from "./recipient_choices.ts";
import { shownName } from "../../../lib/runs/recipient_names.ts";
import { claimedCount } from "../../../lib/runs/recipients.ts";

const SHOWN = 20;

export function RecipientList({ run, params = "" }: {
  readonly run: ReportRun;
  readonly params?: string;
}) {
  const addressesShown = useContext(AddressesShown);
  const recipients = run.recipients ?? [];
  const claimed = claimedCount(run);
  const rest = recipients.slice(SHOWN, MAX_LISTED);
  const columns: readonly Column<Recipient>[] = [
    { name: "Name", cell: ({ displayName }) => shownName(displayName, addressesShown) },
    { name: "Email address", cell: ({ emailAddress }) => <Address address={emailAddress} /> },
    { name: "User id", kind: "number", cell: ({ userId }) => userId },
  ];
  return (
    <section>
      <h2 id="recipients">Recipients</h2>
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
          name="Recipients"
          caption="Recipients of this run"
          columns={columns}
          rows={recipients.slice(0, SHOWN)}
        />
      )}
      {rest.length > 0 && (
        <details>
          <summary>{formatCountOf(rest.length, "more recipient", "more recipients")}</summary>
          <DataTable name="More recipients" columns={columns} rows={rest} />
        </details>
      )}
      {recipients.length > MAX_LISTED && (
        <p class="help">
          Only the first {formatCount(MAX_LISTED)}{" "}
          are listed; an export of the runs as JSON has all of them.
        </p>
      )}
    </section>
  );
}
