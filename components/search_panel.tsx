import type { SearchView } from "../lib/search_url.ts";
import { formatSearchUrl } from "../lib/search_url.ts";
import { Choice, Labelled } from "./form.tsx";
import { INPUTS } from "./search_form.ts";
import { fileSetsHref, withBody, without } from "./search_view.ts";
import {
  dateFilterWords,
  DOCUMENTED,
  FIELDS,
  fieldWords,
  filterWords,
  OPERATORS,
  ORDERS,
  sortWords,
} from "./search_words.ts";

/** Page sizes to choose from; a link may ask for any other. */
const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

/**
 * Adds conditions and sort keys to a search, and sets the page size. A plain form: what is sent is
 * the present view and what is added to it.
 */
export function SearchPanel({ view, upstream }: {
  readonly view: SearchView;
  /** Whether the service is not Docket's own, so that only documented words are certain. */
  readonly upstream: boolean;
}) {
  const unsure = (name: string, documented: string) =>
    upstream && name !== documented ? " (not documented)" : "";
  const { limit: _limit, offset: _offset, ...kept } = view;
  return (
    <form method="get" action="/filesets" class="panel">
      {[...formatSearchUrl(kept)].map(([name, value], at) => (
        <input key={`${name}${at}`} type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend>Condition</legend>
        <FieldInput name={INPUTS.field} label="Field" fields={FIELDS} />
        <Choice name={INPUTS.not} label="Is or is not" options={SENSES} />
        <Choice
          name={INPUTS.operator}
          label="Operator"
          options={Object.entries(OPERATORS).map(([name, { afterIs }]) => ({
            value: name,
            text: afterIs + unsure(name, DOCUMENTED.operator),
          }))}
        />
        <Labelled name={INPUTS.value} label="Value">
          <input
            id={INPUTS.value}
            name={INPUTS.value}
            autocomplete="off"
            aria-describedby="value-help"
          />
        </Labelled>
      </fieldset>
      <fieldset>
        <legend>Date, UTC</legend>
        <FieldInput name={INPUTS.dateField} label="Date field" fields={["created", "updated"]} />
        <Choice name={INPUTS.dateNot} label="Is or is not (date)" options={SENSES} />
        <Labelled name={INPUTS.from} label="From">
          <input id={INPUTS.from} name={INPUTS.from} type="date" />
        </Labelled>
        <Labelled name={INPUTS.through} label="Through">
          <input id={INPUTS.through} name={INPUTS.through} type="date" />
        </Labelled>
      </fieldset>
      <fieldset>
        <legend>Order, size</legend>
        <FieldInput name={INPUTS.sortField} label="Sort by" fields={FIELDS} />
        <Choice
          name={INPUTS.sortOrder}
          label="Order"
          options={Object.entries(ORDERS).map(([value, text]) => ({
            value,
            text: text + unsure(value, DOCUMENTED.order),
          }))}
        />
        <Choice
          name="limit"
          label="Page size"
          selected={String(view.limit ?? 100)}
          options={[...new Set([...PAGE_SIZES, view.limit ?? 100])]
            .sort((a, b) => a - b)
            .map((size) => ({ value: String(size), text: String(size) }))}
        />
        <button type="submit">Apply</button>
      </fieldset>
      <p id="value-help" class="help">
        Several values: with commas between, any of them matches. A value with a comma goes into
        "double quotes".
      </p>
    </form>
  );
}

const SENSES = [{ value: "", text: "is" }, { value: "true", text: "is not" }];

/** The field to use: known ones are suggested, any other may be typed. */
function FieldInput({ name, label, fields }: {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly string[];
}) {
  const list = `${name}-list`;
  return (
    <Labelled name={name} label={label}>
      <input
        id={name}
        name={name}
        list={list}
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

/** The conditions and sort keys of a search as sentences; each is a link that takes it away. */
export function SearchChips({ view }: { readonly view: SearchView }) {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  const chips = [
    ...filters.map((filter, at) => ({
      words: filterWords(filter),
      href: fileSetsHref(without(view, "filters", at)),
    })),
    ...dateFilters.map((filter, at) => ({
      words: dateFilterWords(filter),
      href: fileSetsHref(without(view, "dateFilters", at)),
    })),
    ...fieldSort.map((key, at) => ({
      words: `sorted by ${sortWords(key)}`,
      href: fileSetsHref(without(view, "fieldSort", at)),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="This search">
      {chips.map(({ words, href }, at) => (
        <li key={`${at} ${words}`}>
          <a class="chip" href={href} title={`Remove: ${words}`}>
            <span class="unseen">Remove:</span>
            {words}
            <span aria-hidden="true" class="cross">×</span>
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={fileSetsHref(withBody(view, {}))}>Remove all</a>
        </li>
      )}
    </ul>
  );
}
