import { matchingText, type SearchedPage } from "../../lib/client/own_matching.ts";
import type { Facets } from "../../lib/search/facets.ts";
import type { FileSet, FileSetPage } from "../../lib/types.ts";
import type { ShownSearch } from "../search/page_view.ts";
import { DataTable, FilteredRows, type PagePosition } from "../ui/list.tsx";
import { FacetsPanel } from "./facets_panel.tsx";
import {
  allColumns,
  atOffset,
  fieldValue,
  fileSetHref,
  fileSetsHref,
  shownFileSetColumns,
  withOpen,
} from "./file_sets_view.ts";
import { formatCount } from "../../lib/format.ts";
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { FILE_SET_QUERY as FIELDS, nothingHint } from "../../lib/search/query_table.ts";
import { listConditions } from "../search/conditions.ts";
import { searchBodyText, searchRequest } from "../../lib/client/transport/request.ts";
import { type Code, type CodeTarget, writeCode } from "../export/code.ts";
import { wordsIn } from "../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { cellText } from "../../lib/export.ts";
import { Fact, MISSING, timeElement, Zone } from "../ui/moment.tsx";
import { SortHeader } from "../search/sort_header.tsx";
import { columnLabel, isDate, isNumber } from "../search/search_words.ts";
import { FactRow } from "../ui/section.tsx";
import { CopyButton } from "../ui/copy_button.tsx";

/** How to write a query for file sets. */
export const QUERY_HELP = (
  <>
    Words find names: <code>payroll</code>. Conditions: <code>owner:Finance,Legal</code>,{" "}
    <code>owner:~fin</code>, <code>{"files:>100"}</code>, <code>updated:last-month</code>,{" "}
    <code>created:2026-01..2026-03</code>, <code>no:description</code>. A minus sign negates:{" "}
    <code>-permission:READ</code>. Sort with <code>sort:-updated,name</code>.
  </>
);

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
        <FilteredRows
          position={position}
          href={(offset) => fileSetsHref(atOffset(view, offset))}
          label="Pages of file sets"
          empty={<NothingFound {...view} />}
        >
          <div class="with-aside">
            <FileSetTable fileSets={fileSets} view={view} />
            {view.open && (
              <div>
                <Drawer view={view} fileSet={found.opened} fileSets={fileSets} />
              </div>
            )}
          </div>
        </FilteredRows>
      </div>
    </div>
  );
}

/** The position of a page. The service may have used another limit than requested. */
export function toPosition(
  { pageContext, fileSets }: FileSetPage,
  view: ShownSearch,
): PagePosition {
  const { offset, limit, total } = pageContext;
  return {
    start: offset ?? view.offset ?? 0,
    count: fileSets.length,
    limit: limit ?? view.limit ?? DEFAULT_LIMIT,
    total: total ?? null,
  };
}

/** Such as `37 of 1,204 file sets, 1 to 37 shown`. */
export function Result({ position: { start, count, total }, all }: {
  readonly position: PagePosition;
  readonly all: number | null;
}) {
  const shown = count === 0
    ? start > 0 ? "none on this page" : "none shown"
    : start === 0 && count === 1
    ? "1 shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  if (total === null) return <>{shown}</>;
  const noun = (all ?? total) === 1 ? "file set" : "file sets";
  return (
    <>
      {formatCount(total)}
      {all !== null && ` of ${formatCount(all)}`} {noun}
      {/* The pager shows it. */}
      <span class="unseen">, {shown}</span>
    </>
  );
}

export function NothingFound({ body }: Pick<ShownSearch, "body">) {
  if (listConditions(body).length === 0) return <>There are no file sets yet.</>;
  return (
    <>
      No file sets match. Remove a condition, or <a href="/filesets">show all file sets</a>.{" "}
      {nothingHint(body.filters ?? [], FIELDS)}
    </>
  );
}

export function searchCode(view: ShownSearch, target: CodeTarget): Code {
  const { body, limit = DEFAULT_LIMIT, offset = 0 } = view;
  return writeCode(target, {
    href: fileSetsHref(view),
    request: searchRequest(target.origin, searchBodyText(body), { limit, offset }),
    loop: `for await (const fileSet of client.fileSets.search(${JSON.stringify(body, null, 2)})) {
  console.log(fileSet.id, fileSet.name);
}`,
  });
}

export function FileSetTable({ fileSets, view }: {
  readonly fileSets: readonly FileSet[];
  readonly view: ShownSearch;
}) {
  const columns = shownFileSetColumns(view);
  const page = { table: FIELDS, view, href: fileSetsHref };
  const words = wordsIn(useContext(Zone), Date.now());
  return (
    <DataTable
      name="File sets"
      rows={fileSets}
      rowClass={({ id }) => id === view.open ? "open" : undefined}
      columns={columns.map((field) => ({
        name: columnLabel(FIELDS, field),
        heading: <SortHeader key={field} {...{ field, page }} canAdd />,
        kind: field === "description" ? "wide" : isNumber(FIELDS, field) ? "number" : undefined,
        cell: (fileSet: FileSet) =>
          field === "name"
            ? <a href={fileSetHref(fileSet.id)} data-open>{fileSet.name || fileSet.id}</a>
            : renderValue(
              field === "id" ? fileSet.id.slice(0, 8) : fieldValue(fileSet, field),
              field,
              words,
            ),
      }))}
    />
  );
}

/** A field's value: dates in these words, numbers with commas. */
function renderValue(value: unknown, field: string, words: (time: number) => string) {
  const text = cellText(value);
  if (text === "") return MISSING;
  if (isDate(FIELDS, field)) return timeElement(text, words);
  if (field === "id") return <code>{text}</code>;
  return field === "fileCount" && typeof value === "number" ? formatCount(value) : text;
}

export function Drawer({ view, fileSet, fileSets }: {
  readonly view: ShownSearch;
  readonly fileSet: FileSet | null;
  /** The rows beside it. */
  readonly fileSets: readonly FileSet[];
}) {
  const id = view.open ?? "";
  const at = fileSets.findIndex((each) => each.id === id);
  const neighbours = at < 0 ? [] : [["Previous", at - 1], ["Next", at + 1]] as const;
  return (
    <div class="drawer" role="dialog" aria-labelledby="opened-heading">
      <div class="line steps">
        {neighbours.map(([label, place]) =>
          fileSets[place] && (
            <a key={label} href={fileSetsHref(withOpen(view, fileSets[place].id))}>{label}</a>
          )
        )}
        <a href={fileSetsHref(withOpen(view, null))} data-close>
          Close <kbd aria-hidden="true">Esc</kbd>
        </a>
      </div>
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p class="line">
        <a href={fileSetHref(id)}>Open page</a> <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} />
        : <p class="notice bad">This file set was not found, or can't be read now.</p>}
    </div>
  );
}

/** Its fields besides its name, which is the heading: those `first` side by side. */
export function FileSetFacts({ fileSet, first = [] }: {
  readonly fileSet: FileSet;
  readonly first?: readonly string[];
}) {
  const words = wordsIn(useContext(Zone), Date.now());
  const fact = (field: string) => ({
    name: columnLabel(FIELDS, field),
    value: renderValue(fieldValue(fileSet, field), field, words),
  });
  const others = allColumns([fileSet]).filter((field) => !["name", ...first].includes(field));
  return (
    <>
      {first.length > 0 && <FactRow facts={first.map(fact)} />}
      <dl class="facts">
        {others.map(fact).map(({ name, value }) => <Fact key={name} name={name}>{value}</Fact>)}
      </dl>
    </>
  );
}
