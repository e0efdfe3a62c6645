import { useContext } from "preact/hooks";
import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import type { Code } from "../export/code.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../export/export_rows.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { Choice, CurrentPerson } from "../ui/form.tsx";
import { Menu } from "../ui/section.tsx";
import { INPUTS } from "./new_condition.ts";
import type { SearchedRows, ShownSearch } from "./page_view.ts";
import { type FormTarget, ViewInputs } from "./search_form_view.tsx";
import { columnLabel } from "./search_words.ts";

const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];
const FORMATS = Object.keys(EXPORT_FORMATS) as ExportFormat[];

/** What can be done with the rows of a search, the most frequent first. */
export function SearchMenu(
  { href, isStored = false, evidence, code, note, view, rows, target }: {
    /** Without JavaScript, the server makes the files. */
    readonly href: (format: ExportFormat) => string;
    /** Whether it always makes them, of what it stored. */
    readonly isStored?: boolean;
    readonly evidence: string;
    readonly code: Code;
    /** What the files and the code have besides what the page shows. */
    readonly note?: string;
    readonly view: ShownSearch;
    readonly rows: SearchedRows;
    readonly target: FormTarget;
  },
) {
  const { seesRecords } = useContext(CurrentPerson);
  const { limit = rows.defaultLimit ?? DEFAULT_LIMIT, columns = rows.defaultColumns, ...search } =
    view;
  return (
    <Menu name="Export, columns">
      <p>
        <CopyButton text={code.link} label="Copy link" />
      </p>
      <section>
        <h2>Export all</h2>
        <p>
          {FORMATS.map((format) => [
            <a key={format} href={href(format)} download={!isStored}>
              {EXPORT_FORMATS[format].name}
            </a>,
            " ",
          ])}
          {seesRecords && <a href={evidence}>signed evidence</a>}
        </p>
        {isStored && (
          <p class="help">
            The service can't be read: files have what was read before.
          </p>
        )}
        {note && <p class="help">{note}</p>}
      </section>
      <form {...target} class="stack table-options" id="table-options">
        <ViewInputs view={search} table={rows.table} />
        <h2>Columns</h2>
        <div class="checks" role="group" aria-label="Columns">
          {rows.columns.map((field) => (
            <label key={field} class="line check">
              <input
                type="checkbox"
                name={INPUTS.column}
                value={field}
                checked={columns.includes(field)}
                disabled={field === rows.fixedColumn}
              />
              {columnLabel(rows.table, field)}
            </label>
          ))}
        </div>
        <div class="line inputs">
          <Choice
            name="limit"
            label="Page size"
            selected={String(limit)}
            options={[...new Set([...PAGE_SIZES, limit])]
              .sort((a, b) => a - b)
              .map((size) => [`${size}`, `${size}`])}
          />
          <button type="submit">Apply</button>
        </div>
      </form>
      <CodeText name="curl" text={code.curl} />
      <CodeText name="Script" text={code.script} />
    </Menu>
  );
}

function CodeText({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <section>
      <div class="line">
        <h2>{name}</h2>
        <CopyButton
          label={
            <>
              Copy<span class="unseen">{` ${name}`}</span>
            </>
          }
        />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
