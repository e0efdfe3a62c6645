import { matchingText, type SearchedPage } from "../../lib/client/own_matching.ts";
import type { Facets } from "../../lib/search/facets.ts";
import type { FileSet } from "../../lib/types.ts";
import type { ShownSearch } from "../search/page_view.ts";
import { type PagePosition, Pager } from "../ui/pager.tsx";
import { Drawer } from "./drawer/drawer.tsx";
import { FacetsPanel } from "./facets_panel.tsx";
import { FileSetTable } from "./file_set_table.tsx";
import { atOffset, fileSetsHref } from "./file_sets_view.ts";
import { NothingFound } from "./search/search_result.tsx";

interface FoundSearch {
  readonly page: SearchedPage;
  /** The number of all file sets; null if it is not known, or the same. */
  readonly all: number | null;
  readonly opened: FileSet | null;
  readonly facets: Facets;
  /** Whether scripts load the facets of all matches. */
  readonly isLate: boolean;
}

/** The file sets that a search found, beside the facets that narrow it down. */
export function FoundFileSets({ view, found, position, zone }: {
  readonly view: ShownSearch;
  readonly found: FoundSearch;
  readonly position: PagePosition;
  readonly zone: string;
}) {
  const { fileSets, matching } = found.page;
  return (
    <div class="with-facets">
      <div id="facets" data-late={found.isLate || undefined}>
        <FacetsPanel facets={found.facets} view={view} zone={zone} />
      </div>
      <div>
        {matching && <p class="help">{matchingText(matching)}.</p>}
        {position.count === 0 ? <NothingFound view={view} position={position} /> : (
          <>
            <div class="with-aside">
              <FileSetTable fileSets={fileSets} view={view} />
              {view.open && (
                <div>
                  <Drawer view={view} fileSet={found.opened} fileSets={fileSets} />
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
  );
}
