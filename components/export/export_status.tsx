import type { ReadonlySignal } from "@preact/signals";
import type { ExportState } from "./use_export.ts";

export function ExportStatus({ state, stop }: {
  readonly state: ReadonlySignal<ExportState>;
  readonly stop: () => void;
}) {
  const { failed, message, running } = state.value;
  return (
    <span class="line">
      <span role="status" class={failed ? "status bad" : "help"}>{message}</span>
      {running && <button type="button" class="quiet" onClick={stop}>Stop</button>}
    </span>
  );
}
