import type { RecipientHistory } from "../../lib/runs/recipients.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatCount } from "../ui/format.ts";
import { Missing, Moment, ZoneName } from "../ui/moment.tsx";
import { Address } from "./address.tsx";
import { shownName } from "./recipient_choices.ts";
import { runHref } from "./view.ts";

/** Recipients with their histories. */
export function RecipientTable({ histories, outside, scheduleId, addressesShown }: {
  readonly histories: readonly RecipientHistory<ReportRun>[];
  /** Keys of those who are new from outside. */
  readonly outside: ReadonlySet<string>;
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
            <th scope="col">name</th>
            <th scope="col">e-mail address</th>
            <th scope="col" class="number">user id</th>
            <th scope="col" class="number">runs</th>
            <th scope="col" class="number">of them good</th>
            <th scope="col">
              first <ZoneName />
            </th>
            <th scope="col">
              last <ZoneName />
            </th>
            <th scope="col">report</th>
            <th scope="col">now</th>
          </tr>
        </thead>
        <tbody>
          {histories.map((history) => (
            <tr key={history.key} class={outside.has(history.key) ? "outside" : undefined}>
              <th scope="row">
                <Name history={history} scheduleId={scheduleId} addressesShown={addressesShown} />
              </th>
              <td>
                <Addresses addresses={history.addresses} shown={addressesShown} />
              </td>
              <td class="number">{history.recipient.userId ?? <Missing />}</td>
              <td class="number">{formatCount(history.count)}</td>
              <td class="number">{formatCount(history.goodCount)}</td>
              <td>
                <Start run={history.first} scheduleId={scheduleId} />
              </td>
              <td>
                <Start run={history.last} scheduleId={scheduleId} />
              </td>
              <td class="wide">{history.titles.join(", ") || <Missing />}</td>
              <td>
                {history.isCurrent ? "in the latest run" : "no longer"}
                {outside.has(history.key) && <strong>, ⚠ new from outside</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name, as a link to the runs that list the recipient where there is an id to filter by. */
function Name({ history: { recipient }, scheduleId, addressesShown }: {
  readonly history: RecipientHistory<ReportRun>;
  readonly scheduleId: number;
  readonly addressesShown: boolean;
}) {
  const { displayName, userId } = recipient;
  const name = addressesShown ? displayName : shownName(displayName);
  if (typeof userId !== "number") return <>{name || <Missing />}</>;
  return (
    <a href={`/schedules/${scheduleId}?recipient=${userId}#runs`}>{name || `user ${userId}`}</a>
  );
}

function Addresses(
  { addresses, shown }: { readonly addresses: readonly string[]; readonly shown: boolean },
) {
  if (addresses.length === 0) return <Missing />;
  return (
    <>
      {addresses.map((address, at) => (
        <span key={address} class="address">
          {at > 0 && "before: "}
          <Address address={address} shown={shown} />
          {" "}
        </span>
      ))}
    </>
  );
}

function Start({ run, scheduleId }: { readonly run: ReportRun; readonly scheduleId: number }) {
  return (
    <a href={runHref(scheduleId, run.id)}>
      {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
    </a>
  );
}
