import { DATE_RANGES } from "../../../lib/search/date_ranges.ts";
import { OPERATORS, ORDERS } from "../../../lib/fields.ts";
import { DEFAULT_LIMIT } from "../../../lib/backend.ts";
import type { ComponentChildren } from "preact";
import { Choice, Labelled } from "../../ui/form.tsx";
import { type FileSetsView, formatFileSetsView } from "../file_sets_view.ts";
import { INPUTS } from "./search_inputs.ts";
import {
  columnLabel,
  fieldLabel,
  FIELDS,
  isDate,
  OPERATOR_LABELS,
  ORDER_LABELS,
} from "./search_text.ts";

/** The page sizes to choose from. A link may use any other. */
const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

const RANGES = DATE_RANGES.map((value) => ({
  value,
  text: value[0].toUpperCase() + value.slice(1).replaceAll("-", " "),
}));

type Typed = Readonly<Record<string, string>>;

/** The search form. It sends the present view and what the reader adds to it. */
export function SearchPanel({ view, query, typed = {}, upstream }: {
  readonly view: FileSetsView;
  /** The search as a query. */
  readonly query: string;
  /** Input that could not be used, by the name of its field. */
  readonly typed?: Typed;
  /** Whether the service is not Docket's own, so that only the first operator and order are certain. */
  readonly upstream: boolean;
}) {
  const undocumented = (name: string, documented: string) =>
    upstream && name !== documented ? " (undocumented)" : "";
  const operators = OPERATORS.map((value) => ({
    value,
    text: OPERATOR_LABELS[value].afterIs + undocumented(value, OPERATORS[0]),
  }));
  const orders = ORDERS.map((value) => ({
    value,
    text: ORDER_LABELS[value] + undocumented(value, ORDERS[0]),
  }));
  return (
    <form method="get" action="/filesets" class="panel">
      <PresentView view={view} />
      <div class="quick">
        <label for="q">Query</label>
        <input
          id="q"
          name="q"
          type="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="payroll owner:Finance updated:last-month"
          value={query}
        />
        <button type="submit">Search</button>
      </div>
      <details open={Object.keys(typed).length > 0}>
        <summary>Filter, sort and columns</summary>
        <div class="more">
          <Group legend="Filter">
            <FieldInput name={INPUTS.field} label="Field" fields={FIELDS} typed={typed} />
            <NotChoice name={INPUTS.not} label="Is or is not" typed={typed} />
            <Choice
              name={INPUTS.operator}
              label="Operator"
              selected={typed[INPUTS.operator]}
              options={operators}
            />
            <TextInput name={INPUTS.otherOperator} label="Other operator" typed={typed} />
            <TextInput name={INPUTS.value} label="Value" typed={typed} help="value-help" />
            <p id="value-help" class="help">
              Separate several values with commas; any of them matches. Put a value that contains a
              comma in "double quotes".
            </p>
          </Group>
          <Group legend="Date">
            <FieldInput
              name={INPUTS.dateField}
              label="Date field"
              fields={FIELDS.filter(isDate)}
              typed={typed}
            />
            <NotChoice name={INPUTS.dateNot} label="Is or is not (date)" typed={typed} />
            <Choice
              name={INPUTS.preset}
              label="Range"
              selected={typed[INPUTS.preset]}
              options={[
                { value: "", text: "Custom range" },
                ...RANGES,
              ]}
            />
            <TextInput name={INPUTS.from} label="From" typed={typed} type="date" />
            <TextInput name={INPUTS.through} label="To" typed={typed} type="date" />
          </Group>
          <Group legend="Sort">
            <FieldInput
              name={INPUTS.sortField}
              label="Add sort key"
              fields={FIELDS}
              typed={typed}
            />
            <Choice name={INPUTS.sortOrder} label="Order" options={orders} />
          </Group>
          <TableOptions view={view} />
          <button type="submit">Apply</button>
        </div>
      </details>
    </form>
  );
}

/** The present view as hidden fields, except what the form's own fields show. */
function PresentView({ view }: { readonly view: FileSetsView }) {
  const { limit: _limit, offset: _offset, open: _open, density: _density, q: _q, ...kept } = view;
  return (
    <>
      {[...formatFileSetsView({ ...kept, body: {} })].map(([name, value], index) => (
        <input key={`${name}${index}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** The options of the table: page size, row spacing and columns. */
function TableOptions({ view }: { readonly view: FileSetsView }) {
  const { limit = DEFAULT_LIMIT, density = "", columns = FIELDS } = view;
  return (
    <Group legend="Table">
      <Choice
        name="limit"
        label="Page size"
        selected={String(limit)}
        options={[...new Set([...PAGE_SIZES, limit])]
          .sort((a, b) => a - b)
          .map((size) => ({ value: String(size), text: String(size) }))}
      />
      <Choice
        name="density"
        label="Row spacing"
        selected={density}
        options={[
          { value: "", text: "Default" },
          { value: "comfortable", text: "Comfortable" },
          { value: "compact", text: "Compact" },
        ]}
      />
      <div class="checks" role="group" aria-label="Columns">
        {FIELDS.map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              name={INPUTS.column}
              value={field}
              checked={columns.includes(field)}
            />
            {columnLabel(field)}
          </label>
        ))}
      </div>
    </Group>
  );
}

function Group({ legend, children }: {
  readonly legend: string;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="inputs">{children}</div>
    </fieldset>
  );
}

function NotChoice({ name, label, typed }: {
  readonly name: string;
  readonly label: string;
  readonly typed: Typed;
}) {
  const options = [{ value: "", text: "is" }, { value: "true", text: "is not" }];
  return <Choice name={name} label={label} options={options} selected={typed[name]} />;
}

function TextInput({ name, label, typed, type = "text", help }: {
  readonly name: string;
  readonly label: string;
  readonly typed: Typed;
  readonly type?: "text" | "date";
  /** Id of the element that explains the input. */
  readonly help?: string;
}) {
  return (
    <Labelled name={name} label={label}>
      <input
        id={name}
        name={name}
        type={type}
        defaultValue={typed[name]}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby={help}
      />
    </Labelled>
  );
}

/** A field: known ones are suggested, any other may be typed. */
function FieldInput({ name, label, fields, typed }: {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly string[];
  readonly typed: Typed;
}) {
  const list = `${name}-list`;
  return (
    <Labelled name={name} label={label}>
      <input
        id={name}
        name={name}
        list={list}
        defaultValue={typed[name]}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
      <datalist id={list}>
        {fields.map((field) => <option key={field} value={field}>{fieldLabel(field)}</option>)}
      </datalist>
    </Labelled>
  );
}
