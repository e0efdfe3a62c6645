import { formatCount } from "../../lib/format.ts";
import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import { Choice, Field } from "../ui/form.tsx";
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
import { editing, type SearchPage } from "./page_view.ts";
import { columnLabel, fieldLabel, isNumber, operatorLabels, sentenceCase } from "./search_words.ts";

export interface Suggestion {
  readonly value: string;
  readonly count?: number;
}

export interface EditorProps {
  readonly page: SearchPage;
  /** The values of a field that were seen; those with a count can be ticked. */
  readonly suggestions: (field: string) => readonly Suggestion[];
  readonly typed?: Draft;
  /** Whether the service is not Docket's own, so that only one operator is certain. */
  readonly upstream: boolean;
}

/** Adds a condition, field by field, or edits one. Its inputs belong to the search's form. */
export function ConditionEditor(props: EditorProps) {
  const { page, typed } = props;
  const { view, table } = page;
  if (view.add === "") return <FieldChoice page={page} />;
  if (view.add !== undefined) {
    return <Fields {...props} draft={typed ?? newDraft(view.add, table)} />;
  }
  if (view.edit === undefined) return null;
  const found = findCondition(view, view.edit);
  if (!found) return null;
  const draft = typed ?? draftOf(found.condition, view.edit, page);
  return <Fields {...props} draft={draft} edited={found} />;
}

function FieldChoice({ page }: { readonly page: SearchPage }) {
  const { view, href, table } = page;
  return (
    <nav class="editor card" aria-label="Field to filter by" data-editor="">
      <ul class="plain">
        {Object.keys(table.fields).map((field) => (
          <li key={field}>
            <a href={href(editing(view, { add: field }))}>{columnLabel(table, field)}</a>
          </li>
        ))}
      </ul>
      <Cancel page={page} />
    </nav>
  );
}

function Fields({ page, suggestions, upstream, draft, edited }: EditorProps & {
  readonly draft: Draft;
  readonly edited?: { readonly condition: Condition; readonly isOff: boolean };
}) {
  const { table } = page;
  const { field, replaces } = draft;
  const label = fieldLabel(table, field);
  const operators = [
    ...new Set([...operatorsFor(field, table), draft.operator.replace("!", "")]),
  ];
  const isDuring = operators[0] === DURING;
  return (
    <fieldset class="editor card" data-editor={replaces || field}>
      <legend>{replaces ? `Edit the filter by ${label}` : `Add a filter by ${label}`}</legend>
      <input type="hidden" name={INPUTS.field} value={field} />
      {replaces && <input type="hidden" name={INPUTS.replaces} value={replaces} />}
      <div class="inputs">
        <Choice
          name={INPUTS.operator}
          label={columnLabel(table, field)}
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
          : <ValueInputs draft={draft} page={page} suggestions={suggestions(field)} />}
      </div>
      <p class="actions">
        <button type="submit">Apply</button>
        {!replaces && (
          <button type="submit" class="quiet" name={INPUTS.next} value="add">
            Apply and add another
          </button>
        )}
        {edited && <EditedLinks page={page} {...edited} />}
        <Cancel page={page} />
      </p>
    </fieldset>
  );
}

function EditedLinks({ page, condition, isOff }: {
  readonly page: SearchPage;
  readonly condition: Condition;
  readonly isOff: boolean;
}) {
  const { view, href } = page;
  const opposite = replaced(view, condition, [negated(condition)]);
  const switched = isOff ? switchedOn(view, condition) : switchedOff(view, condition);
  return (
    <>
      <a href={href(opposite)}>{condition.not ? "Do not negate" : "Negate"}</a>
      <a href={href(switched)}>{isOff ? "Switch on" : "Switch off"}</a>
      <a href={href(replaced(view, condition, []))}>Remove</a>
    </>
  );
}

function Cancel({ page: { view, href } }: { readonly page: SearchPage }) {
  return <a href={href(editing(view, {}))} data-close>Cancel</a>;
}

function ValueInputs({ draft, page: { table }, suggestions }: {
  readonly draft: Draft;
  readonly page: SearchPage;
  readonly suggestions: readonly Suggestion[];
}) {
  const { field } = draft;
  const offered = suggestions.filter(({ count }) => count !== undefined);
  const { chosen, value } = withChosen(draft, offered.map(({ value }) => value));
  const list = `${INPUTS.value}-list`;
  return (
    <>
      {offered.length > 0 && (
        <div class="checks" role="group" aria-label={columnLabel(table, field)}>
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
        inputMode={isNumber(table, field) ? "numeric" : undefined}
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
