/** The markup of a page of 100 file sets, from prepared rows: nothing is looked up or checked. */
import { FileSetTable } from "../../../components/file_sets/file_set_table.tsx";
import { FacetsPanel } from "../../../components/file_sets/filters/facets_panel.tsx";
import { SearchConditions } from "../../../components/file_sets/filters/search_conditions.tsx";
import { TableOptions } from "../../../components/file_sets/filters/table_options.tsx";
import { facetsOfFileSets } from "../../../lib/search/facets.ts";
import { MainNavigation, Shell } from "../../../components/page/shell.tsx";
import { Search } from "../islands/Search.tsx";
import { packState } from "../../../components/file_sets/search/search_state.ts";
import type { FileSet } from "../../../lib/types.ts";

const at = "2026-01-31T12:00:00.000Z";
const fileSets = Array.from({ length: 100 }, (_, index): FileSet => ({
  id: `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`,
  name: `Payroll exports Porto ${index}`,
  description: "Monthly exports for the payroll office. Kept for ten years.",
  created: at,
  createdBy: 2000 + index,
  updated: at,
  updatedBy: 2000,
  owner: "Finance",
  permission: "READ",
  fileCount: index * 17,
}));

const shown = {
  view: { body: {} },
  query: "",
  page: { fileSets, count: 100, pageContext: { offset: 0, limit: 100, total: 5000 } },
  all: null,
  facets: null,
  opened: null,
  error: null,
};

/** The parts that browsers get only as markup, as in Docket's page. */
const { view } = shown;
const rows = shown.page.fileSets;
const facets = facetsOfFileSets(rows);
const parts = {
  table: <FileSetTable fileSets={fileSets} view={view} />,
  conditions: <SearchConditions {...{ view, facets, rows }} upstream={false} zone="UTC" />,
  facetsPanel: <FacetsPanel facets={facets} view={view} zone="UTC" />,
  tableOptions: <TableOptions view={view} upstream={false} />,
};

export default function Page() {
  return (
    <Shell
      theme="system"
      inMemory={false}
      header={
        <MainNavigation
          pathname="/filesets"
          service="Bare"
          openIncidents={null}
          paletteKey="Ctrl K"
        />
      }
    >
      <h1>File sets</h1>
      <Search
        initial={packState(shown)}
        drawer={null}
        codeTexts={null}
        {...parts}
        upstream={false}
        zone="UTC"
        target={{ origin: "http://localhost", tokenHeader: "X-Token" }}
      />
    </Shell>
  );
}
