import { EXPORT_FORMATS, type ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./use_export.ts";

/** Links to all matching rows in each format. Without JavaScript, the server makes the files. */
export function ExportLinks({ href, evidence }: {
  readonly href: (format: ExportFormat) => string;
  readonly evidence: string;
}) {
  return (
    <>
      Export all as{" "}
      {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
        <a key={format} href={href(format)} download>{EXPORT_FORMATS[format].name}</a>
      ))} or <a href={evidence}>signed evidence</a>
    </>
  );
}

export function ExportStatus({ state: { failed, message, running }, stop }: {
  readonly state: ExportState;
  readonly stop: () => void;
}) {
  return (
    <span class="export">
      <span role="status" class={failed ? "bad" : "help"}>{message}</span>
      {running && <button type="button" class="quiet" onClick={stop}>Stop</button>}
    </span>
  );
}
