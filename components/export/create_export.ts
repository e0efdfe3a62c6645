/** Exports in the browser, one at a time. */
import type { Signal } from "@preact/signals";
import type { ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./export_menu.tsx";
import type { ExportOutcome, ExportTools } from "./export_rows.ts";

export interface ExportControl {
  start(format: ExportFormat): Promise<void>;
  stop(): void;
}

/** Exports that show their progress and outcome in a signal. */
export function createExport(
  state: Signal<ExportState>,
  run: (format: ExportFormat, tools: ExportTools) => Promise<ExportOutcome>,
): ExportControl {
  let running = new AbortController();
  return {
    async start(format) {
      if (state.value.running) return;
      const { signal } = running = new AbortController();
      const onProgress = (message: string) => {
        state.value = { running: true, message, failed: false };
      };
      onProgress("");
      const outcome = await run(format, { signal, onProgress });
      state.value = { running: false, ...outcome };
    },
    stop: () => running.abort(),
  };
}
