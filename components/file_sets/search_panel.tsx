import { DEFAULT_LIMIT } from "../../lib/request.ts";
import { DATE_PRESETS } from "./date_presets.ts";
import { type FileSetsView, formatFileSetsView, quickSearchOf } from "./file_sets_view.ts";
import { Choice, Labelled } from "../ui/form.tsx";
import { INPUTS } from "./search_inputs.ts";
import { DOCUMENTED, FIELDS, fieldWords, OPERATORS, ORDERS } from "./search_words.ts";

/** Page sizes to choose from; a link may ask for any other. */
const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

/**
 * Searches by name, adds conditions and sort keys, and chooses page size, rows and columns. A plain
 * form: what is sent is the present view and what is added to it.
 */
export function SearchPanel({ view, typed = {}, upstream }: {
  readonly view: FileSetsView;
  /** What was typed and could not be used, by the inputs' names. */
  readonly typed?: Typed;
  /** Whether the service is not Docket's own, so that only documented words are certain. */
  readonly upstream: boolean;
}) {
  const unsure = (name: string, documented: string) =>
    upstream && name !== documented ? " (not documented)" : "";
  const { limit: _limit, offset: _offset, open: _open, density: _density, ...kept } = view;
  return (
    <form method="get" action="/filesets" class="panel">
      {[...formatFileSetsView(kept)].map(([name, value], at) => (
        <input key={`${name}${at}`} type="hidden" name={name} value={value} />
      ))}
      <div class="quick">
        <label for={INPUTS.name}>Name contains{unsure("LIKE", DOCUMENTED.operator)}</label>
        <input
          id={INPUTS.name}
          name={INPUTS.name}
          type="search"
          autocomplete="off"
          value={quickSearchOf(view)}
        />
        <button type="submit">Search</button>
      </div>
      <details open={Object.keys(typed).length > 0}>
        <summary>Conditions, order and columns</summary>
        <div class="more">
          <ConditionInputs unsure={unsure} typed={typed} />
          <DateInputs typed={typed} />
          <fieldset>
            <legend>Order</legend>
            <FieldInput
              name={INPUTS.sortField}
              label="Sort also by"
              fields={FIELDS}
              typed={typed}
            />
            <Choice
              name={INPUTS.sortOrder}
              label="Order"
              options={Object.entries(ORDERS).map(([value, text]) => ({
                value,
                text: text + unsure(value, DOCUMENTED.order),
              }))}
            />
          </fieldset>
          <LookInputs view={view} />
          <button type="submit">Apply</button>
        </div>
      </details>
    </form>
  );
}

type Typed = Readonly<Record<string, string>>;

function ConditionInputs({ unsure, typed }: {
  readonly unsure: (name: string, documented: string) => string;
  readonly typed: Typed;
}) {
  return (
    <fieldset>
      <legend>Condition</legend>
      <FieldInput name={INPUTS.field} label="Field" fields={FIELDS} typed={typed} />
      <Choice
        name={INPUTS.not}
        label="Is or is not"
        options={SENSES}
        selected={typed[INPUTS.not]}
      />
      <Choice
        name={INPUTS.operator}
        label="Operator"
        selected={typed[INPUTS.operator]}
        options={Object.entries(OPERATORS).map(([name, { afterIs }]) => ({
          value: name,
          text: afterIs + unsure(name, DOCUMENTED.operator),
        }))}
      />
      <Labelled name={INPUTS.otherOperator} label="Another operator">
        <input
          id={INPUTS.otherOperator}
          name={INPUTS.otherOperator}
          defaultValue={typed[INPUTS.otherOperator]}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      </Labelled>
      <Labelled name={INPUTS.value} label="Value">
        <input
          id={INPUTS.value}
          name={INPUTS.value}
          defaultValue={typed[INPUTS.value]}
          autocomplete="off"
          aria-describedby="value-help"
        />
      </Labelled>
      <p id="value-help" class="help">
        Several values: with commas between, any of them matches. A value with a comma goes into
        "double quotes".
      </p>
    </fieldset>
  );
}

function DateInputs({ typed }: { readonly typed: Typed }) {
  return (
    <fieldset>
      <legend>Date, UTC</legend>
      <FieldInput
        name={INPUTS.dateField}
        label="Date field"
        fields={["created", "updated"]}
        typed={typed}
      />
      <Choice
        name={INPUTS.dateNot}
        label="Is or is not (date)"
        options={SENSES}
        selected={typed[INPUTS.dateNot]}
      />
      <Choice
        name={INPUTS.preset}
        label="Range"
        selected={typed[INPUTS.preset]}
        options={[
          { value: "", text: "as given" },
          ...Object.entries(DATE_PRESETS).map(([value, text]) => ({ value, text })),
        ]}
      />
      <Labelled name={INPUTS.from} label="From">
        <input
          id={INPUTS.from}
          name={INPUTS.from}
          type="date"
          defaultValue={typed[INPUTS.from]}
        />
      </Labelled>
      <Labelled name={INPUTS.through} label="Through">
        <input
          id={INPUTS.through}
          name={INPUTS.through}
          type="date"
          defaultValue={typed[INPUTS.through]}
        />
      </Labelled>
    </fieldset>
  );
}

/** How the table looks: how many rows, how close, and which columns. */
function LookInputs({ view }: { readonly view: FileSetsView }) {
  const { limit = DEFAULT_LIMIT, density = "", columns = FIELDS } = view;
  return (
    <fieldset>
      <legend>Table</legend>
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
        label="Rows"
        selected={density}
        options={[
          { value: "", text: "as preferred" },
          { value: "comfortable", text: "comfortable" },
          { value: "compact", text: "compact" },
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
            {fieldWords(field)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const SENSES = [{ value: "", text: "is" }, { value: "true", text: "is not" }];

/** The field to use: known ones are suggested, any other may be typed. */
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
        {fields.map((field) => <option key={field} value={field}>{fieldWords(field)}</option>)}
      </datalist>
    </Labelled>
  );
}
