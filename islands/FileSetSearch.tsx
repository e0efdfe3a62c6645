import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CodeTarget } from "../components/export/code_texts.tsx";
import { ExportMenu } from "../components/export/export_menu.tsx";
import { useExport } from "../components/export/use_export.ts";
import {
  ALL_FILE_SETS,
  atOffset,
  exportHref,
  fileSetsHref,
} from "../components/file_sets/file_sets_view.ts";
import { QueryBox } from "../components/file_sets/filters/query_box.tsx";
import { NothingFound, positionOf, Result } from "../components/file_sets/search/search_result.tsx";
import type { SearchState } from "../components/file_sets/search/search_state.ts";
import { type SearchActions, useSearch } from "../components/file_sets/search/use_search.ts";
import { useSearchNavigation } from "../components/file_sets/search/use_search_navigation.ts";
import { ErrorNotice } from "../components/ui/error_notice.tsx";
import { Pager } from "../components/ui/pager.tsx";
import { Zone } from "../components/ui/zone.ts";

/** Parts of the first view. Later ones are rendered in the browser, by code that is loaded then. */
interface SearchParts {
  readonly conditions: ComponentChildren;
  readonly table: ComponentChildren;
  readonly drawer: ComponentChildren;
  readonly facetsPanel: ComponentChildren;
  /** Its form takes the search from what is shown. */
  readonly tableOptions: ComponentChildren;
  readonly codeTexts: ComponentChildren;
}

/**
 * The search for file sets. The server renders it; in the browser, its links and its form load the
 * next page through the API. The URL always describes what is shown.
 */
export function FileSetSearch({ initial, upstream, zone, target, ...parts }: SearchParts & {
  /** Without its rows. */
  readonly initial: SearchState;
  /** Whether the service is not Docket's own. */
  readonly upstream: boolean;
  readonly zone: string;
  readonly target: CodeTarget;
}) {
  const root = useRef<HTMLDivElement>(null);
  const loadActions = useSearchActions();
  const dates = () => ({ zone, now: Date.now() });
  const { state, busy, show, loadedActions } = useSearch(initial, {
    isCounted: !upstream,
    loadActions,
  });
  const { onClick, onSubmit } = useSearchNavigation({ root, state, show, dates, loadActions });
  const exporting = useExport(async (format, tools) =>
    (await loadActions()).exportFileSets(state.value.view, format, tools)
  );

  const { view, query, page, all, facets, opened } = state.value;
  const { value: actions } = loadedActions;
  const rows = page?.fileSets ?? [];
  // What the server drew has the first rows, so it stays until they are loaded or the view changes.
  const { Drawer, SearchConditions } = (page?.fileSets || view !== initial.view) && actions || {};
  const position = page && positionOf(page, view);
  return (
    <Zone.Provider value={zone}>
      <div
        ref={root}
        onClick={onClick}
        onSubmit={onSubmit}
        class={busy.value ? "busy" : undefined}
        data-density={view.density}
      >
        <QueryBox query={query} editor={`${view.add}/${view.edit}`}>
          <SearchError {...state.value} />
          {SearchConditions
            ? <SearchConditions {...{ view, facets, rows, upstream, zone }} />
            : parts.conditions}
        </QueryBox>
        <div class="bar">
          <p class="result" role="status" tabIndex={-1} data-result>
            {busy.value ? "Searching…" : position && <Result {...{ view, position, all, zone }} />}
          </p>
          {page && (
            <div class="tools">
              <ExportMenu
                href={(format) => exportHref(view, format)}
                exporting={exporting}
              />
              <details class="menu" name="tools">
                <summary>Columns…</summary>
                <div class="card">
                  {parts.tableOptions}
                </div>
              </details>
              <details
                class="copy-as menu"
                name="tools"
                onToggle={async () => loadedActions.value = await loadActions()}
              >
                <summary>Copy as…</summary>
                <div class="card">
                  {actions
                    ? <actions.CodeTexts code={actions.searchCode(view, target)} />
                    : parts.codeTexts}
                </div>
              </details>
            </div>
          )}
        </div>
        {page && position && (
          <div class="with-facets">
            {actions ? <actions.FacetsPanel {...{ facets, view, zone }} /> : parts.facetsPanel}
            <div class="found">
              {position.count === 0 && <NothingFound view={view} position={position} />}
              {position.count > 0 && (
                <>
                  <div class="with-aside">
                    {actions && page.fileSets
                      ? <actions.FileSetTable fileSets={rows} view={view} busy={busy.value} />
                      : parts.table}
                    {view.open && (
                      <div class="aside">
                        {Drawer
                          ? (
                            <Drawer
                              key={view.open}
                              {...{ view, fileSet: opened, fileSets: rows }}
                            />
                          )
                          : parts.drawer}
                      </div>
                    )}
                  </div>
                  <Pager
                    position={position}
                    href={(offset) => fileSetsHref(atOffset(view, offset))}
                    label="Pages of file sets"
                  />
                </>
              )}
            </div>
          </div>
        )}
      </div>
    </Zone.Provider>
  );
}

function SearchError({ error, usable, view, page }: SearchState) {
  if (!error) return null;
  // To search again for what is not valid would not help.
  const again = page ? "Back to the earlier search" : error.mayRetry && "Try again";
  const way = usable ?? (again && { href: fileSetsHref(view), text: again });
  return (
    <>
      <ErrorNotice error={error}>
        {!error.needsSignIn && (
          <p>
            {way && (
              <>
                <a href={way.href}>{way.text}</a>
                {" · "}
              </>
            )}
            <a href={ALL_FILE_SETS}>Start over</a>
          </p>
        )}
      </ErrorNotice>
      {page && <b>Not searched yet. This is the earlier search:</b>}
    </>
  );
}

/** Loads the actions with the first key or click, which is usually before they are needed. */
function useSearchActions() {
  const actions = useRef<Promise<SearchActions>>();
  const loadActions = () =>
    actions.current ??= import("../components/file_sets/search/search_actions.ts");
  useLayoutEffect(() => {
    const options = { once: true };
    addEventListener("pointerdown", loadActions, options);
    addEventListener("keydown", loadActions, options);
    return () => {
      removeEventListener("pointerdown", loadActions);
      removeEventListener("keydown", loadActions);
    };
  }, []);
  return loadActions;
}
