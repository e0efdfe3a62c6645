import { ExportStatus } from "../components/export/export_menu.tsx";
import { useExport } from "../components/export/use_export.ts";

/** A form for signed evidence of the recipients of schedules on a day. */
export function RecipientsEvidence({ scheduleIds, most, today }: {
  readonly scheduleIds: readonly number[];
  /** The most schedules in a pack that the server makes. */
  readonly most: number;
  readonly today: string;
}) {
  const exporting = useExport();
  const { length } = scheduleIds;
  if (length > most) {
    return (
      <p class="help">
        Signed evidence covers at most {most} schedules here, and these people receive{" "}
        {length}. Filter the list, or use the command line:{" "}
        <code>docket evidence recipients IDS --on {today} --out evidence.zip</code>
      </p>
    );
  }
  return (
    <>
      <form
        action="/evidence"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const params = new URLSearchParams([...fields] as string[][]);
          void exporting.start(`${location.origin}/evidence?${params}`);
        }}
      >
        <input type="hidden" name="schedules" value={scheduleIds.join()} />
        <label>
          Signed evidence of who received{" "}
          {length === 1 ? "this schedule" : `these ${length} schedules`} on{" "}
          <input type="date" name="on" required value={today} max={today} />
        </label>{" "}
        <button type="submit">Download</button>
      </form>
      <ExportStatus {...exporting} />
    </>
  );
}
