import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { CodeTarget } from "../components/export/code_texts.tsx";
import type { ExportFormat } from "../components/export/export_formats.ts";
import { ExportStatus } from "../components/export/export_menu.tsx";
import { useExport } from "../components/export/use_export.ts";
import { createRunNavigation } from "../components/runs/search/run_navigation.ts";

type RunActions = typeof import("../components/runs/search/run_actions.ts");

/**
 * How many runs match, and code to copy. In the browser, the form and the links of the runs show
 * their result in place, rendered by the server as without JavaScript, and exports show their
 * progress. The URL always describes what is shown.
 */
export function RunSearch({ scheduleId, serviceZone, search, result, codeTexts, target }: {
  readonly scheduleId: number;
  /** The zone of times without one. */
  readonly serviceZone: string;
  readonly search: string;
  readonly result: string;
  /** The code of the first view, to be copied. */
  readonly codeTexts: ComponentChildren;
  readonly target: CodeTarget;
}) {
  const query = useSignal(search);
  const message = useSignal<ComponentChildren>(result);
  const actions = useSignal<RunActions | null>(null);
  const loadActions = async () =>
    actions.value ??= await import("../components/runs/search/run_actions.ts");
  const viewIn = ({ parseRunView }: RunActions) =>
    parseRunView(new URLSearchParams(query.value)).view;

  const exporting = useExport(async (format, tools) => {
    const loaded = await loadActions();
    return await loaded.exportRuns({ scheduleId, serviceZone }, viewIn(loaded), format, tools);
  });

  useEffect(() =>
    createRunNavigation({
      onShown(url, text) {
        query.value = url.search;
        message.value = text;
      },
      onBusy: () => message.value = "Loading…",
      onFailed: (retry) =>
        message.value = (
          <>
            The runs could not be loaded.{" "}
            <button type="button" class="quiet" onClick={retry}>Try again</button>
          </>
        ),
      onExport: (format) => void exporting.start(format as ExportFormat),
    }), []);

  const { value: loaded } = actions;
  return (
    <div class="tools">
      <p class="result" role="status" tabIndex={-1} id="run-result">{message.value}</p>
      <details class="copy-as menu" onToggle={loadActions}>
        <summary>Copy as…</summary>
        <div class="card">
          {loaded
            ? <loaded.CodeTexts code={loaded.runCode(scheduleId, viewIn(loaded), target)} />
            : codeTexts}
        </div>
      </details>
      <ExportStatus {...exporting} />
    </div>
  );
}
