import type { ExportState } from "./use_export.ts";

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
