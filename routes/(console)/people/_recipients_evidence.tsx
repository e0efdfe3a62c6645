import { MAX_EVIDENCE_SCHEDULES } from "../../../server/schedules/schedule_id_list.ts";

/** A form for signed evidence of who received schedules on a day. */
export function RecipientsEvidence({ scheduleIds, today }: {
  readonly scheduleIds: readonly number[];
  readonly today: string;
}) {
  const { length } = scheduleIds;
  if (length > MAX_EVIDENCE_SCHEDULES) {
    return (
      <p class="help">
        Signed evidence covers at most {MAX_EVIDENCE_SCHEDULES}{" "}
        schedules here, and these people receive {length}. Filter the list, or use{" "}
        <code>docket evidence recipients</code>.
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
      <button type="submit">Download</button>
    </form>
  );
}
