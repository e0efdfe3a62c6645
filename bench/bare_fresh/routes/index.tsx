/** The markup of a page of 100 file sets, from prepared rows: nothing is looked up or checked. */
import { FileSetTable } from "../../../components/file_sets/file_set_table.tsx";
import { FacetsPanel } from "../../../components/file_sets/filters/facets_panel.tsx";
import { SearchConditions } from "../../../components/file_sets/filters/search_conditions.tsx";
import { TableOptions } from "../../../components/file_sets/filters/table_options.tsx";
import { facetsOfFileSets } from "../../../lib/search/facets.ts";
import { MainNavigation, Shell } from "../../../components/page/shell.tsx";
import { CodeTexts } from "../../../components/export/code_texts.tsx";
import { searchCode } from "../../../components/file_sets/search/search_code.ts";
import { shiftFor } from "../../../server/store/sample/clock.ts";
import { sampleFileSets } from "../../../server/store/sample/file_sets.ts";
import { Saved } from "../islands/Saved.tsx";
import { Search } from "../islands/Search.tsx";
import { packState } from "../../../components/file_sets/search/search_state.ts";
import type { FileSet } from "../../../lib/types.ts";

/** The sample, as in Docket's database. */
const sample: readonly FileSet[] = [...sampleFileSets(5000, shiftFor(new Date()))];
const fileSets = sample.slice(0, 100);

const shown = {
  view: { body: {} },
  query: "",
  page: { fileSets, count: 100, pageContext: { offset: 0, limit: 100, total: 5000 } },
  all: null,
  facets: { ...facetsOfFileSets(sample), rows: null },
  opened: null,
  error: null,
};

/** The parts that browsers get only as markup, as in Docket's page. */
const { view, facets } = shown;
const rows = shown.page.fileSets;
const target = { origin: "http://localhost", tokenHeader: "X-Token" };
const parts = {
  table: <FileSetTable fileSets={fileSets} view={view} />,
  conditions: <SearchConditions {...{ view, facets, rows }} upstream={false} zone="UTC" />,
  facetsPanel: <FacetsPanel facets={facets} view={view} zone="UTC" />,
  tableOptions: <TableOptions view={view} upstream={false} />,
  codeTexts: <CodeTexts code={searchCode(view, target)} />,
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
      <Saved />
      <Search
        initial={packState(shown)}
        drawer={null}
        {...parts}
        upstream={false}
        zone="UTC"
        target={target}
      />
    </Shell>
  );
}
