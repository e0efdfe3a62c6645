import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./export_menu.tsx";
import type { ExportOutcome, ExportTools } from "./export_rows.ts";

/** Exports in the browser, which shows the progress and can stop it. */
export function useExport(
  run: (format: ExportFormat, tools: ExportTools) => Promise<ExportOutcome>,
) {
  const state = useSignal<ExportState>({ running: false, message: "", failed: false });
  const running = useRef<AbortController>();
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  async function start(format: ExportFormat) {
    if (state.value.running) return;
    const { signal } = running.current = new AbortController();
    const onProgress = (message: string) => {
      state.value = { running: true, message, failed: false };
    };
    onProgress("");
    const outcome = await run(format, { signal, onProgress });
    state.value = { running: false, ...outcome };
  }

  return { state, start, stop };
}
