import type { FieldSort } from "../../lib/types.ts";
import { isTooLongToRepeat } from "../ui/query.ts";
import { formatZone } from "../ui/zone.ts";
import {
  type Condition,
  conditionsOf,
  conditionText,
  isDateCondition,
  replaced,
  switchedOn,
} from "./conditions.ts";
import { editing, type SearchPage, type ShownSearch, withBody } from "./page_view.ts";
import { formatCondition, formatSortKey, formatTimes } from "./search_words.ts";

/**
 * The conditions and sort keys of a search. A condition is edited, negated and switched off where
 * its text is clicked; a sort key is reversed. Each one can be removed.
 */
export function Chips({ page }: { readonly page: SearchPage }) {
  const { view, href, table } = page;
  const { body, off = {} } = view;
  const { fieldSort = [] } = body;
  const on = conditionsOf(body);
  const switchedOff = conditionsOf(off);
  if (isTooLongToRepeat(href(view))) {
    return <LongSearch page={page} conditions={[...on, ...switchedOff]} />;
  }
  const sorted = (fieldSort: readonly FieldSort[]) => href(withBody(view, { ...body, fieldSort }));
  const count = on.length + switchedOff.length + fieldSort.length;
  return (
    <ul class="chips" aria-label="This search">
      {on.map((condition) => (
        <ConditionChip key={conditionText(condition)} {...{ condition, page }} />
      ))}
      {fieldSort.map((key, at) => {
        const text = `sorted by ${formatSortKey(key, table)}`;
        const changed = sorted(fieldSort.with(at, reversed(key)));
        const removed = sorted(fieldSort.toSpliced(at, 1));
        return (
          <li key={key.field} class="chip">
            <a href={changed} aria-label={`Reverse: ${text}`} title="Reverse">{text}</a>
            <a href={removed} aria-label={`Remove: ${text}`} class="cross">×</a>
          </li>
        );
      })}
      {switchedOff.map((condition) => (
        <ConditionChip key={conditionText(condition)} {...{ condition, page }} isOff />
      ))}
      <li>
        <a
          class="add"
          href={href(editing(view, { add: "" }))}
          aria-expanded={view.add === ""}
        >
          <span aria-hidden="true">+</span> Add filter
        </a>
      </li>
      {count > 1 && (
        <li>
          <a href={href(cleared(view))}>Clear all</a>
        </li>
      )}
    </ul>
  );
}

function LongSearch({ page, conditions }: {
  readonly page: SearchPage;
  readonly conditions: readonly Condition[];
}) {
  const { view, href } = page;
  return (
    <>
      <ul class="chips" aria-label="This search">
        {conditions.map((condition) => (
          <li key={conditionText(condition)} class="chip">{formatCondition(condition, page)}</li>
        ))}
        <li>
          <a href={href(cleared(view))}>Clear all</a>
        </li>
      </ul>
      <p class="help">This search is too long to change by links. Change its text instead.</p>
    </>
  );
}

function ConditionChip({ condition, page, isOff }: {
  readonly condition: Condition;
  readonly page: SearchPage;
  readonly isOff?: true;
}) {
  const { view, href, zone } = page;
  const text = formatCondition(condition, page);
  const identity = conditionText(condition);
  const isEdited = view.edit === identity;
  const exact = isDateCondition(condition)
    ? `${formatTimes(condition, zone)} ${formatZone(zone)}`
    : "Edit, negate or switch off";
  return (
    <li class={isOff ? "chip off" : "chip"}>
      {isOff && (
        <a href={href(switchedOn(view, condition))} aria-label={`Switch on: ${text}`}>
          off
        </a>
      )}
      <a
        href={href(isEdited ? editing(view, {}) : editing(view, { edit: identity }))}
        aria-label={`Edit: ${text}`}
        aria-expanded={isEdited}
        title={exact}
      >
        {condition.not ? <Negated text={text} /> : text}
      </a>
      <a
        href={href(replaced(view, condition, []))}
        aria-label={`Remove: ${text}`}
        class="cross"
      >
        ×
      </a>
    </li>
  );
}

/** A negated condition is shown in bold as well as in words. */
function Negated({ text }: { readonly text: string }) {
  const [before, after] = text.split(/ not /, 2);
  return after === undefined ? <b>{text}</b> : (
    <>
      {before} <b class="not">not</b> {after}
    </>
  );
}

function cleared({ off: _off, ...view }: ShownSearch): ShownSearch {
  return withBody(view, {});
}

function reversed({ field, order }: FieldSort): FieldSort {
  return { field, order: order === "DESC" ? "ASC" : "DESC" };
}
