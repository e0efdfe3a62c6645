/** What several pages say of people, and ask about them. */
import { SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import { AddressSwitch } from "../../../components/runs/recipients/address.tsx";
import { ActionForm } from "../../../components/ui/form.tsx";
import { Marked } from "../../../components/ui/notices.tsx";
import { Menu } from "../../../components/ui/section.tsx";
import { CalendarDay } from "../../../components/ui/moment.tsx";
import { type UnknownStatus, unknownStatusText } from "../../../lib/runs/status.ts";
import type { shownPeople } from "../../../server/pages/people_page.ts";
import { MAX_EVIDENCE_SCHEDULES } from "../../../server/schedules/schedule_id_list.ts";

type ShownPerson = Awaited<ReturnType<typeof shownPeople>>[number];

export function PersonFlags(
  { isOutside, isNew, isExpected, lastDay, hasLeft, isReceiving, odd }: ShownPerson,
) {
  const isUnexpected = isOutside && !isExpected;
  // The spaces keep the words apart where they are spoken.
  return (
    <>
      {isOutside && isExpected && <span class="flag tier">outside, expected</span>}{" "}
      {isUnexpected && isNew && <Marked mark={["◆", "bad"]} look="flag tier">new outside</Marked>}
      {" "}
      {isUnexpected && !isNew && <span class="flag tier drift">outside</span>}{" "}
      {isExpected === false && <strong class="flag tier bad">not expected</strong>}{" "}
      {odd && <Marked mark={["⚠", "bad"]} look="flag tier">{odd}</Marked>}{" "}
      {lastDay && (
        <strong class={`flag tier ${hasLeft && isReceiving ? "bad" : "drift"}`}>
          {hasLeft ? "left by" : "leaves"} <CalendarDay date={lastDay} />
        </strong>
      )}
    </>
  );
}

/** Decides whether somebody is expected to receive a schedule. `name` says to screen readers what it is about. */
export function ExpectedForm({ personId, scheduleId, name, isInTable = false }: {
  readonly personId: number;
  readonly scheduleId: number;
  readonly name: string;
  readonly isInTable?: boolean;
}) {
  const not = (
    <button type="submit" name="expected" value="false" class="quiet">
      Not expected <span class="unseen">{name}</span>
    </button>
  );
  return (
    <ActionForm action={`/people/${personId}`} class="line actions" values={{ on: scheduleId }}>
      <button type="submit" name="expected" value="true">
        Expected <span class="unseen">{name}</span>
      </button>
      {isInTable ? <Menu label={`More for ${name}`}>{not}</Menu> : not}
    </ActionForm>
  );
}

/** Below a list of people: switches addresses, has everybody as a file, and says what it covers. */
export function PeopleTools({ id, params, file, known }: {
  readonly id: string;
  readonly params?: string;
  /** The address of the file; null if nobody is listed. */
  readonly file: string | null;
  readonly known: string;
}) {
  return (
    <p class="help" id={id}>
      {file !== null && (
        <>
          <AddressSwitch anchor={id} params={params} /> · Export everybody as CSV:{" "}
          <a href={file} download>masked addresses</a> or{" "}
          <a href={`${file}&addresses=shown`} download>full addresses</a> ·{" "}
        </>
      )}
      {known}.
    </p>
  );
}

/** What a list of recipients leaves out, because nobody knows whether the runs went out. */
export function LeftOut({ unknown }: { readonly unknown: readonly UnknownStatus[] }) {
  if (unknown.length === 0) return null;
  return (
    <p class="notice warning" role="status">
      Left out: {unknownStatusText(unknown)}. <a href={SERVICE_PATH}>Say what it means</a>.
    </p>
  );
}

/** A form for signed evidence of who received schedules on a day. */
export function RecipientsEvidence({ scheduleIds, today }: {
  /** At most one more than a pack may have. */
  readonly scheduleIds: readonly number[];
  readonly today: string;
}) {
  const { length } = scheduleIds;
  if (length === 0) return null;
  if (length > MAX_EVIDENCE_SCHEDULES) {
    return (
      <p class="help">
        Signed evidence covers at most {MAX_EVIDENCE_SCHEDULES}{" "}
        schedules here, and these people receive more. Use <code>docket evidence recipients</code>.
      </p>
    );
  }
  return (
    <form action="/evidence">
      <input type="hidden" name="schedules" value={scheduleIds.join()} />
      <label>
        Signed evidence of who received{" "}
        {length === 1 ? "this schedule" : `these ${length} schedules`} on{" "}
        <input type="date" name="on" required value={today} max={today} />
      </label>{" "}
      <label>
        <input type="checkbox" name="addresses" value="shown" /> with full addresses
      </label>{" "}
      <button type="submit">Download evidence</button>
    </form>
  );
}
