import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { formatCount, formatCountOf } from "../../ui/format.ts";
import { Missing } from "../../ui/moment.tsx";
import { Address, AddressSwitch } from "./address.tsx";
import { MAX_LISTED, shownName } from "./recipient_choices.ts";

/** The recipients of a run. */
export function RecipientList({ run, addressesShown }: {
  readonly run: ReportRun;
  readonly addressesShown: boolean;
}) {
  const recipients = run.recipients ?? [];
  return (
    <section>
      <h2 id="recipients">Recipients</h2>
      <p class="help">
        {run.recipients
          ? formatCountOf(recipients.length, "recipient", "recipients")
          : "The service does not list the recipients of this run"}
        {typeof run.recipientCount === "number" && run.recipientCount !== recipients.length &&
          `, but the recipient count is ${formatCount(run.recipientCount)}`}
        {recipients.length > 0 && (
          <>
            {" · "}
            <AddressSwitch shown={addressesShown} anchor="recipients" />
          </>
        )}
      </p>
      {recipients.length > 0 && (
        <div class="scroll" role="region" aria-labelledby="recipients" tabIndex={0}>
          <table>
            <caption class="unseen">Recipients of this run</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Email address</th>
                <th scope="col" class="number">User id</th>
              </tr>
            </thead>
            <tbody>
              {recipients.slice(0, MAX_LISTED).map((recipient, at) => (
                <RecipientRow key={at} recipient={recipient} addressesShown={addressesShown} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {recipients.length > MAX_LISTED && (
        <p class="help">
          Only the first {formatCount(MAX_LISTED)} are listed; the CSV export has all of them.
        </p>
      )}
    </section>
  );
}

function RecipientRow({ recipient, addressesShown }: {
  readonly recipient: Recipient;
  readonly addressesShown: boolean;
}) {
  const { displayName, emailAddress, userId } = recipient;
  return (
    <tr>
      <th scope="row">{(addressesShown ? displayName : shownName(displayName)) || <Missing />}</th>
      <td>
        <Address address={emailAddress} shown={addressesShown} />
      </td>
      <td class="number">{userId ?? <Missing />}</td>
    </tr>
  );
}
