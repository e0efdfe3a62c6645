import type { RecipientHistory } from "../../../lib/runs/recipients.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { formatCount } from "../../ui/format.ts";
import { Missing, ZoneName } from "../../ui/moment.tsx";
import { Address } from "./address.tsx";
import { shownName } from "./recipient_choices.ts";
import { filteredRunsHref } from "../run_links.ts";
import { RunLink } from "../run_link.tsx";

/** Recipients, with the first and last run that each one received. */
export function RecipientTable({ histories, external, scheduleId, addressesShown }: {
  readonly histories: readonly RecipientHistory<ReportRun>[];
  /** Keys of new external recipients. */
  readonly external: ReadonlySet<string>;
  readonly scheduleId: number;
  readonly addressesShown: boolean;
}) {
  return (
    <div class="scroll" role="region" aria-label="Recipients" tabIndex={0}>
      <table>
        <caption class="unseen">
          Recipients, times in <ZoneName />
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Email address</th>
            <th scope="col">Current</th>
            <th scope="col" class="number">User id</th>
            <th scope="col" class="number">Runs</th>
            <th scope="col" class="number">Successful</th>
            <th scope="col">
              First <ZoneName />
            </th>
            <th scope="col">
              Last <ZoneName />
            </th>
            <th scope="col">Report</th>
          </tr>
        </thead>
        <tbody>
          {histories.map((history) => (
            <tr key={history.key}>
              <th scope="row">
                <Name history={history} scheduleId={scheduleId} addressesShown={addressesShown} />
              </th>
              <td>
                <Addresses addresses={history.addresses} shown={addressesShown} />
              </td>
              <td>
                {external.has(history.key) && <strong class="status bad">⚠ New external,</strong>}
                {history.isCurrent ? "yes" : "no"}
              </td>
              <td class="number">{history.recipient.userId ?? <Missing />}</td>
              <td class="number">{formatCount(history.count)}</td>
              <td class="number">{formatCount(history.goodCount)}</td>
              <td>
                <RunLink run={history.first} scheduleId={scheduleId} />
              </td>
              <td>
                <RunLink run={history.last} scheduleId={scheduleId} />
              </td>
              <td>{history.titles.join(", ") || <Missing />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name; a link to the recipient's runs where there is a user id to filter by. */
function Name({ history: { recipient }, scheduleId, addressesShown }: {
  readonly history: RecipientHistory<ReportRun>;
  readonly scheduleId: number;
  readonly addressesShown: boolean;
}) {
  const { displayName, userId } = recipient;
  const name = addressesShown ? displayName : shownName(displayName);
  if (typeof userId !== "number") return <>{name || <Missing />}</>;
  return (
    <a href={filteredRunsHref(scheduleId, { recipient: userId })}>{name || `user ${userId}`}</a>
  );
}

function Addresses(
  { addresses, shown }: { readonly addresses: readonly string[]; readonly shown: boolean },
) {
  if (addresses.length === 0) return <Missing />;
  return (
    <>
      {addresses.map((address, at) => (
        <span key={address}>
          {at > 0 && "formerly "}
          <Address address={address} shown={shown} />
          {" "}
        </span>
      ))}
    </>
  );
}
