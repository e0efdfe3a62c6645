import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExportFormat } from "./export_formats.ts";
import type { ExportState } from "./export_menu.tsx";
import type { FileSetsView } from "../file_sets_view.ts";
import type { LoadActions } from "../search/search_actions.ts";

/** Exports in the browser, which shows the progress and can stop it. */
export function useExport(loadActions: LoadActions) {
  const state = useSignal<ExportState>({ running: false, message: "", failed: false });
  const run = useRef<AbortController>();
  const stop = () => run.current?.abort();
  useEffect(() => stop, []);

  async function start(view: FileSetsView, format: ExportFormat) {
    if (state.value.running) return;
    const { signal } = run.current = new AbortController();
    const onProgress = (message: string) => {
      state.value = { running: true, message, failed: false };
    };
    onProgress("");
    const { exportFileSets } = await loadActions();
    const outcome = await exportFileSets(view, format, { signal, onProgress });
    state.value = { running: false, ...outcome };
  }

  return { state, start, stop };
}
