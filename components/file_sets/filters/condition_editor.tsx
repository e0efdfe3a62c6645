import { formatCount } from "../../../lib/format.ts";
import { DATE_RANGES } from "../../../lib/search/date_ranges.ts";
import type { Facets } from "../../../lib/search/facets.ts";
import type { FileSet, FileSetField } from "../../../lib/types.ts";
import { Choice, Field } from "../../ui/form.tsx";
import { operatorLabels } from "../../ui/search_words.ts";
import { editing, fileSetsHref, type FileSetsView } from "../file_sets_view.ts";
import { columnLabel, fieldLabel, FIELDS, isNumber, sentenceCase } from "../search/search_text.ts";
import {
  type Condition,
  findCondition,
  negated,
  replaced,
  switchedOff,
  switchedOn,
} from "./conditions.ts";
import {
  type Draft,
  draftOf,
  DURING,
  INPUTS,
  newDraft,
  operatorsFor,
  withChosen,
} from "./draft.ts";

/** What an editor works with. */
export interface EditorProps {
  readonly view: FileSetsView;
  readonly facets: Facets | null;
  /** The rows that are shown. Their values are suggested beside those of the facet. */
  readonly rows: readonly FileSet[];
  /** Input that could not be used. */
  readonly typed?: Draft;
  /** Whether the service is not Docket's own, so that only one operator is certain. */
  readonly upstream: boolean;
  readonly zone: string;
}

/** Adds a condition, field by field, or edits one. Its inputs belong to the search's form. */
export function ConditionEditor(props: EditorProps) {
  const { view, typed, zone } = props;
  if (view.add === "") return <FieldChoice view={view} />;
  if (view.add !== undefined) return <Fields {...props} draft={typed ?? newDraft(view.add)} />;
  if (view.edit === undefined) return null;
  const found = findCondition(view, view.edit);
  if (!found) return null;
  const draft = typed ?? draftOf(found.condition, view.edit, zone);
  return <Fields {...props} draft={draft} edited={found} />;
}

function FieldChoice({ view }: { readonly view: FileSetsView }) {
  return (
    <nav class="editor card" aria-label="Field to filter by" data-editor="">
      <ul class="plain">
        {FIELDS.map((field) => (
          <li key={field}>
            <a href={fileSetsHref(editing(view, { add: field }))}>{columnLabel(field)}</a>
          </li>
        ))}
      </ul>
      <Cancel view={view} />
    </nav>
  );
}

function Fields({ view, facets, rows, upstream, draft, edited }: EditorProps & {
  readonly draft: Draft;
  readonly edited?: { readonly condition: Condition; readonly isOff: boolean };
}) {
  const { field, replaces } = draft;
  const label = fieldLabel(field);
  const operators = [
    ...new Set([...operatorsFor(field), draft.operator.replace("!", "")]),
  ];
  const isDuring = operators[0] === DURING;
  const suggestions = suggestionsFor(field, facets, rows);
  const offered = suggestions.filter(({ count }) => count !== undefined);
  return (
    <fieldset class="editor card" data-editor={replaces || field}>
      <legend>{replaces ? `Edit the filter by ${label}` : `Add a filter by ${label}`}</legend>
      <input type="hidden" name={INPUTS.field} value={field} />
      {replaces && <input type="hidden" name={INPUTS.replaces} value={replaces} />}
      <div class="inputs">
        <Choice
          name={INPUTS.operator}
          label={columnLabel(field)}
          selected={draft.operator}
          options={operators.flatMap((operator) => {
            const [is, isNot] = operatorLabels(operator);
            const note = upstream && !/^(EQUALS|DURING)$/.test(operator) ? " (undocumented)" : "";
            return [
              { value: operator, text: is + note },
              { value: `!${operator}`, text: isNot + note },
            ];
          })}
        />
        {isDuring
          ? <DateInputs draft={draft} />
          : <ValueInputs draft={draft} suggestions={suggestions} offered={offered} />}
      </div>
      <p class="actions">
        <button type="submit">Apply</button>
        {!replaces && (
          <button type="submit" class="quiet" name={INPUTS.next} value="add">
            Apply and add another
          </button>
        )}
        {edited && <EditedLinks view={view} {...edited} />}
        <Cancel view={view} />
      </p>
    </fieldset>
  );
}

/** What can be done with a condition other than changing it. */
function EditedLinks({ view, condition, isOff }: {
  readonly view: FileSetsView;
  readonly condition: Condition;
  readonly isOff: boolean;
}) {
  const opposite = replaced(view, condition, [negated(condition)]);
  const switched = isOff ? switchedOn(view, condition) : switchedOff(view, condition);
  return (
    <>
      <a href={fileSetsHref(opposite)}>{condition.not ? "Do not negate" : "Negate"}</a>
      <a href={fileSetsHref(switched)}>{isOff ? "Switch on" : "Switch off"}</a>
      <a href={fileSetsHref(replaced(view, condition, []))}>Remove</a>
    </>
  );
}

function Cancel({ view }: { readonly view: FileSetsView }) {
  return <a href={fileSetsHref(editing(view, {}))} data-close>Cancel</a>;
}

function ValueInputs({ draft, suggestions, offered }: {
  readonly draft: Draft;
  readonly suggestions: readonly Suggestion[];
  readonly offered: readonly Suggestion[];
}) {
  const { field } = draft;
  const { chosen, value } = withChosen(draft, offered.map(({ value }) => value));
  const list = `${INPUTS.value}-list`;
  return (
    <>
      {offered.length > 0 && (
        <div class="checks" role="group" aria-label={columnLabel(field)}>
          {offered.map(({ value, count }) => (
            <label key={value}>
              <input
                type="checkbox"
                name={INPUTS.chosen}
                value={value}
                checked={chosen.includes(value)}
              />
              {value} {count !== undefined && <span class="count">{formatCount(count)}</span>}
            </label>
          ))}
        </div>
      )}
      <Field
        name={INPUTS.value}
        label={offered.length > 0 ? "Other value" : "Value"}
        type="text"
        value={value}
        list={list}
        autocomplete="off"
        inputMode={isNumber(field) ? "numeric" : undefined}
        aria-describedby="value-help"
      />
      <datalist id={list}>
        {suggestions.filter((each) => !offered.includes(each))
          .map(({ value }) => <option key={value} value={value} />)}
      </datalist>
      <p id="value-help" class="help">
        Separate values with commas; any of them matches. Put a value with a comma in "quotes".
      </p>
    </>
  );
}

function DateInputs({ draft }: { readonly draft: Draft }) {
  return (
    <>
      <Choice
        name={INPUTS.range}
        label="Range"
        selected={draft.range}
        options={[
          { value: "", text: "Exact days" },
          ...DATE_RANGES.map((value) => ({ value, text: sentenceCase(value) })),
        ]}
      />
      <Field
        name={INPUTS.from}
        label="From"
        type="date"
        value={draft.from}
        autocomplete="off"
      />
      <Field
        name={INPUTS.through}
        label="To"
        type="date"
        value={draft.through}
        autocomplete="off"
      />
    </>
  );
}

/** A value that was seen, and how often, if that was counted. */
interface Suggestion {
  readonly value: string;
  readonly count?: number;
}

const MAX_SUGGESTIONS = 50;

/** The values that were seen: those of the field's facet, then others of the rows that are shown. */
function suggestionsFor(
  field: string,
  facets: Facets | null,
  rows: readonly FileSet[],
): Suggestion[] {
  const facet = facets?.facets.find((facet) => facet.field === field);
  const counted = facet?.options.flatMap(({ condition, count }) =>
    "value" in condition ? condition.value!.map((value) => ({ value, count })) : []
  );
  const offered = isNumber(field) ? [] : counted ?? [];
  const seen = rows.map((row) => row[field as FileSetField])
    .filter((value) => value !== null && value !== undefined && value !== "");
  const others = new Set(seen.map(String)).difference(new Set(offered.map(({ value }) => value)));
  return [...offered, ...[...others].slice(0, MAX_SUGGESTIONS).map((value) => ({ value }))];
}
