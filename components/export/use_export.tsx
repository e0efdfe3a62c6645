import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";

interface ExportState {
  readonly running: boolean;
  readonly message: string;
  readonly failed: boolean;
}

export type ExportOutcome = Omit<ExportState, "running">;

export interface ExportTools {
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

type Run = (href: string, tools: ExportTools) => Promise<ExportOutcome>;

/** An island's exports of rows, with their progress. `run` must not change. */
export function useExport(run: Run) {
  const state = useSignal<ExportState>({ running: false, message: "", failed: false });
  const control = useMemo(() => {
    let running = new AbortController();
    return {
      async start(href: string): Promise<void> {
        if (state.value.running) return;
        const { signal } = running = new AbortController();
        const onProgress = (message: string) => {
          state.value = { running: true, message, failed: false };
        };
        onProgress("");
        try {
          state.value = { running: false, ...await run(href, { signal, onProgress }) };
        } catch {
          // The code failed to load, and the browser requests it again only after a reload.
          const message = "The export could not be loaded. Reload the page and try again.";
          state.value = { running: false, message, failed: true };
        }
      },
      stop: () => running.abort(),
    };
  }, []);
  useLayoutEffect(() => control.stop, []);
  return { state, ...control };
}

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
