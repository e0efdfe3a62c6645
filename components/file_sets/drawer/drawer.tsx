import { wordsIn } from "../../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { cellText } from "../../../lib/export.ts";
import { valueCondition } from "../../../lib/search/facets.ts";
import type { FileSet } from "../../../lib/types.ts";
import { Fact, Zone } from "../../ui/moment.tsx";
import { FILE_SET_QUERY as FIELDS } from "../../../lib/search/query_table.ts";
import { findUse, toggled } from "../../search/conditions.ts";
import { columnLabel, fieldLabel, isDate } from "../../search/search_words.ts";
import {
  allColumns,
  fieldValue,
  FILE_SETS,
  fileSetHref,
  fileSetsHref,
  withOpen,
} from "../file_sets_view.ts";
import { renderValue } from "../file_set_table.tsx";
import { CopyButton } from "../../ui/copy_button.tsx";
import type { ShownSearch } from "../../search/page_view.ts";

export function Drawer({ view, fileSet, fileSets }: {
  readonly view: ShownSearch;
  readonly fileSet: FileSet | null;
  readonly fileSets: readonly FileSet[];
}) {
  const id = view.open ?? "";
  const at = fileSets.findIndex((each) => each.id === id);
  const neighbours = [["prev", "Previous", at - 1], ["next", "Next", at + 1]] as const;

  return (
    <div class="drawer" role="dialog" aria-labelledby="opened-heading">
      <div class="steps">
        {neighbours.map(([rel, label, place]) => (
          <a
            key={rel}
            rel={rel}
            {...at >= 0 && fileSets[place]
              ? { href: fileSetsHref(withOpen(view, fileSets[place].id)) }
              : { role: "link", "aria-disabled": "true" }}
          >
            {label}
          </a>
        ))}
        <a href={fileSetsHref(withOpen(view, null))} data-close>
          Close <kbd aria-hidden="true">Esc</kbd>
        </a>
      </div>
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p class="line opened-links">
        <a href={fileSetHref(id)}>Open page</a> <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} view={view} />
        : <p class="notice bad">This file set was not found, or can't be read now.</p>}
    </div>
  );
}

export function FileSetFacts({ fileSet, view }: {
  readonly fileSet: FileSet;
  readonly view?: ShownSearch;
}) {
  const words = wordsIn(useContext(Zone), Date.now());
  return (
    <dl class="facts">
      {/* Its name is the heading. */}
      {allColumns([fileSet]).filter((field) => field !== "name").map((field) => (
        <Fact key={field} name={columnLabel(FIELDS, field)}>
          {renderValue(fieldValue(fileSet, field), field, words)}
          {view && isShared(field) && (
            <NarrowLinks {...{ view, field }} value={fieldValue(fileSet, field)} />
          )}
        </Fact>
      ))}
    </dl>
  );
}

/** Whether file sets share values of a field, so that filtering by one is useful. */
function isShared(field: string): boolean {
  return FILE_SETS.columns.includes(field) && !isDate(FIELDS, field) &&
    !/^(name|description|id)$/.test(field);
}

function NarrowLinks({ view, field, value }: {
  readonly view: ShownSearch;
  readonly field: string;
  readonly value: unknown;
}) {
  // The interface documents no operator for missing values.
  const shown = cellText(value);
  if (shown === "") return null;
  const condition = valueCondition(field, shown);
  return (
    <span class="narrow">
      {([["Only", "included"], ["Not", "excluded"]] as const).map(([text, use]) => [
        " ",
        <a
          key={use}
          href={fileSetsHref(toggled(view, condition, use))}
          aria-label={`${text} ${fieldLabel(FIELDS, field)} ${shown}`}
          aria-current={findUse(view, condition) === use ? "true" : undefined}
        >
          {text}
        </a>,
      ])}
    </span>
  );
}
