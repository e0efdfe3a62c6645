import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { RecipientChange } from "../../../lib/runs/recipients.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { RunLink } from "../run_link.tsx";
import { AddressesShown } from "./address.tsx";
import { recipientName } from "./recipient_choices.ts";

/** How many changes are in view, how many unfold at most, and the most names in each. */
const SHOWN_CHANGES = 10;
const MOST_CHANGES = 50;
const MOST_NAMES = 8;

export function RecipientTimeline({ changes, scheduleId, isNew }: {
  readonly changes: readonly RecipientChange<ReportRun>[];
  readonly scheduleId: number;
  readonly isNew: (recipient: Recipient) => boolean;
}) {
  const addressesShown = useContext(AddressesShown);
  if (changes.length === 0) {
    return <p class="help">No recipients were added or removed in these runs.</p>;
  }
  const names = (recipients: readonly Recipient[]) => {
    const sorted = recipients.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
    const more = sorted.length - MOST_NAMES;
    return (
      <>
        {sorted.slice(0, MOST_NAMES).map((recipient, at) => (
          <>
            {at > 0 && ", "}
            {isNew(recipient)
              ? (
                <strong class="status bad">
                  ⚠ {recipientName(recipient, addressesShown)} (new external)
                </strong>
              )
              : recipientName(recipient, addressesShown)}
          </>
        ))}
        {more > 0 && ` and ${formatCount(more)} more`}
      </>
    );
  };
  const rows = changes.slice(0, MOST_CHANGES).map(({ run, came, went }, at) => (
    <li key={at}>
      <RunLink run={run} scheduleId={scheduleId} />
      <span>
        {came.length > 0 && <span>+ {formatCount(came.length)}: {names(came)}</span>}
        {went.length > 0 && <span>− {formatCount(went.length)}: {names(went)}</span>}
      </span>
    </li>
  ));
  const earlier = rows.slice(SHOWN_CHANGES);
  return (
    <>
      <ol class="timeline plain">{rows.slice(0, SHOWN_CHANGES)}</ol>
      {earlier.length > 0 && (
        <details>
          <summary>{formatCountOf(earlier.length, "earlier change", "earlier changes")}</summary>
          <ol class="timeline plain">{earlier}</ol>
          {changes.length > MOST_CHANGES && (
            <p class="help">
              {formatCountOf(changes.length - MOST_CHANGES, "older change", "older changes")}{" "}
              not shown.
            </p>
          )}
        </details>
      )}
    </>
  );
}
