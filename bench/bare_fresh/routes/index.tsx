/** A page with all elements of the console's page of 100 file sets, but from prepared rows. */
import {
  FileSetTable,
  QUERY_HELP,
  Result,
  searchCode,
} from "../../../components/file_sets/found_file_sets.tsx";
import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import {
  AddCondition,
  QueryField,
  SearchForm,
} from "../../../components/search/search_form_view.tsx";
import { countRowFacets } from "../../../server/pages/file_set_search.ts";
import { MainNavigation, Shell } from "../../../components/page/shell.tsx";
import { SearchMenu } from "../../../components/search/search_menu.tsx";
import {
  atOffset,
  FILE_SETS,
  fileSetsHref,
  fileSetValues,
} from "../../../components/file_sets/file_sets_view.ts";
import { dayOf, sampleFileSets } from "../../../server/store/sample/file_sets.ts";
import { DAY } from "../../../lib/time_units.ts";
import { OwnMenus } from "../islands/OwnMenus.tsx";
import { Search } from "../islands/Search.tsx";
import { Pager } from "../../../components/ui/list.tsx";
import type { FileSet } from "../../../lib/types.ts";
import { exportPath, type ShownSearch } from "../../../components/search/page_view.ts";

/** The sample, as in Docket's database. */
const sample: readonly FileSet[] = [...sampleFileSets(5000, dayOf(new Date()) - DAY)];
const fileSets = sample.slice(0, 100);

const view: ShownSearch = { body: {} };
const facets = { ...countRowFacets(sample), rows: null };
const position = { start: 0, count: 100, limit: 100, total: 5000 };
const FORM = { action: "/filesets", method: "get" } as const;
const target = { origin: "http://localhost", tokenHeader: "X-Token" };

export default function Page() {
  return (
    <Shell
      theme="system"
      density="comfortable"
      section="file-sets"
      inMemory={false}
      footer="Docket"
      header={
        <MainNavigation
          pathname="/filesets"
          zone="UTC"
          person=""
          openIncidents={null}
          goKey="Ctrl K"
        />
      }
    >
      <h1>File sets</h1>
      <div id="search-form">
        <SearchForm
          page={{ table: FILE_SETS.table, view, href: fileSetsHref, zone: "UTC" }}
          target={FORM}
          all="/filesets"
          error={null}
          help={QUERY_HELP}
          adding={
            <AddCondition
              table={FILE_SETS.table}
              condition={{ field: "", operator: "EQUALS", value: "" }}
              values={fileSetValues(facets, fileSets)}
            />
          }
        >
          <QueryField
            table={FILE_SETS.table}
            query=""
            example="payroll -permission:READ updated:last-month"
            values={fileSetValues(facets, fileSets)}
          />
          <button type="submit">Search</button>
        </SearchForm>
      </div>
      <div class="bar">
        <p class="result" role="status" tabIndex={-1} id="search-result">
          <Result position={position} all={null} />
        </p>
        <div class="tools">
          <div id="search-tools" class="tools">
            <SearchMenu
              href={(format) => exportPath("/filesets", view, FILE_SETS.table, format)}
              evidence="/evidence?"
              code={searchCode(view, target)}
              view={view}
              rows={FILE_SETS}
              target={FORM}
            />
          </div>
          <Search zone="UTC" />
        </div>
      </div>
      <div id="search-found">
        <div class="with-facets">
          <div id="facets">
            <FacetsPanel facets={facets} view={view} zone="UTC" />
          </div>
          <div class="found">
            <div class="with-aside">
              <FileSetTable fileSets={fileSets} view={view} />
            </div>
            <Pager
              position={position}
              href={(offset) => fileSetsHref(atOffset(view, offset))}
              label="Pages of file sets"
            />
          </div>
        </div>
      </div>
      <OwnMenus />
    </Shell>
  );
}
