import { EXPORT_FORMATS, type ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./use_export.ts";

/** Exports all matching rows. Without JavaScript, the links download from the server. */
export function ExportMenu({ href, exporting }: {
  readonly href: (format: ExportFormat) => string;
  readonly exporting: {
    readonly state: ExportState;
    readonly start: (format: ExportFormat) => void;
    readonly stop: () => void;
  };
}) {
  const onClick = (event: MouseEvent, format: ExportFormat) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    exporting.start(format);
  };
  return (
    <div class="export">
      <ExportLinks href={href} onClick={onClick} />
      <ExportStatus {...exporting} />
    </div>
  );
}

/** Links to all matching rows in each format. */
export function ExportLinks({ href, onClick }: {
  readonly href: (format: ExportFormat) => string;
  readonly onClick?: (event: MouseEvent, format: ExportFormat) => void;
}) {
  return (
    <>
      Export all as {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
        <a
          key={format}
          href={href(format)}
          download
          data-own
          data-format={format}
          onClick={onClick && ((event) => onClick(event, format))}
        >
          {EXPORT_FORMATS[format].name}
        </a>
      ))}
    </>
  );
}

/** How an export goes, with a button that stops it. */
export function ExportStatus({ state: { failed, message, running }, stop }: {
  readonly state: ExportState;
  readonly stop: () => void;
}) {
  return (
    <>
      <span role="status" class={failed ? "bad" : "help"}>{message}</span>
      {running && <button type="button" class="quiet" onClick={stop}>Stop</button>}
    </>
  );
}
