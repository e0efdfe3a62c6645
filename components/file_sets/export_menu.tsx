import { EXPORT_FORMATS, type ExportFormat } from "./export_formats.ts";
import { exportHref, type FileSetsView } from "./file_sets_view.ts";

/** How an export goes. */
export interface ExportState {
  readonly running: boolean;
  /** How far it is, or what came of it. */
  readonly words: string;
  /** Whether it is not the whole file that was asked for. */
  readonly bad: boolean;
}

/** Exports everything that a search matches; the links have the server stream it. */
export function ExportMenu({ view, state, onExport, onStop }: {
  readonly view: FileSetsView;
  readonly state: ExportState;
  readonly onExport: (event: MouseEvent, format: ExportFormat) => void;
  readonly onStop: () => void;
}) {
  return (
    <div class="export">
      Export all as {(Object.keys(EXPORT_FORMATS) as ExportFormat[]).map((format) => (
        <a
          key={format}
          href={exportHref(view, format)}
          download
          data-own
          onClick={(event) => onExport(event, format)}
        >
          {EXPORT_FORMATS[format].name}
        </a>
      ))}
      <span role="status" class={state.bad ? "bad" : "help"}>{state.words}</span>
      {state.running && <button type="button" class="quiet" onClick={onStop}>Stop</button>}
    </div>
  );
}
