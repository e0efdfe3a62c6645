import { EXPORT_FORMATS, type ExportFormat } from "./export_formats.ts";

export interface ExportState {
  readonly running: boolean;
  readonly message: string;
  /** Whether there is no file, or an incomplete one. */
  readonly failed: boolean;
}

/** Exports all matching rows. Without JavaScript, the links download from the server. */
export function ExportMenu({ href, state, onExport, onStop }: {
  readonly href: (format: ExportFormat) => string;
  readonly state: ExportState;
  readonly onExport: (format: ExportFormat) => void;
  readonly onStop: () => void;
}) {
  const onClick = (event: MouseEvent, format: ExportFormat) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onExport(format);
  };
  return (
    <div class="export">
      Export all as {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
        <a
          key={format}
          href={href(format)}
          download
          data-own
          onClick={(event) => onClick(event, format)}
        >
          {EXPORT_FORMATS[format].name}
        </a>
      ))}
      <span role="status" class={state.failed ? "bad" : "help"}>{state.message}</span>
      {state.running && <button type="button" class="quiet" onClick={onStop}>Stop</button>}
    </div>
  );
}
