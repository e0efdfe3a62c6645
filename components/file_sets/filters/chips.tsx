import type { FieldSort } from "../../../lib/types.ts";
import { formatZone } from "../../ui/zone.ts";
import { editing, fileSetsHref, type FileSetsView, withBody } from "../file_sets_view.ts";
import { Chip } from "../../ui/chip.tsx";
import { isTooLongToRepeat } from "../../ui/query.ts";
import { formatTimes } from "../../ui/search_words.ts";
import { formatCondition, formatSortKey } from "../search/search_text.ts";
import {
  type Condition,
  conditionsOf,
  conditionText,
  isDateCondition,
  replaced,
  switchedOn,
} from "./conditions.ts";

/**
 * The conditions and sort keys of a search. A condition is edited, negated and switched off where
 * its text is clicked; a sort key is reversed. Each one can be removed.
 */
export function Chips({ view, zone }: { readonly view: FileSetsView; readonly zone: string }) {
  const { body, off = {} } = view;
  const { fieldSort = [] } = body;
  const on = conditionsOf(body);
  const switchedOff = conditionsOf(off);
  if (isTooLongToRepeat(fileSetsHref(view))) {
    return <LongSearch view={view} conditions={[...on, ...switchedOff]} zone={zone} />;
  }
  const sorted = (fieldSort: readonly FieldSort[]) =>
    fileSetsHref(withBody(view, { ...body, fieldSort }));
  const count = on.length + switchedOff.length + fieldSort.length;
  return (
    <ul class="chips" aria-label="This search">
      {on.map((condition) => (
        <ConditionChip key={conditionText(condition)} {...{ condition, view, zone }} />
      ))}
      {fieldSort.map((key, at) => (
        <Chip
          key={key.field}
          text={`sorted by ${formatSortKey(key)}`}
          action="Reverse"
          changed={sorted(fieldSort.with(at, reversed(key)))}
          removed={sorted(fieldSort.toSpliced(at, 1))}
        />
      ))}
      {switchedOff.map((condition) => (
        <ConditionChip key={conditionText(condition)} {...{ condition, view, zone }} isOff />
      ))}
      <li>
        <a
          class="add"
          href={fileSetsHref(editing(view, { add: "" }))}
          aria-expanded={view.add === ""}
        >
          <span aria-hidden="true">+</span> Add filter
        </a>
      </li>
      {count > 1 && (
        <li>
          <a href={fileSetsHref(cleared(view))}>Clear all</a>
        </li>
      )}
    </ul>
  );
}

/** The conditions of a long search, without a link for each. */
function LongSearch({ view, conditions, zone }: {
  readonly view: FileSetsView;
  readonly conditions: readonly Condition[];
  readonly zone: string;
}) {
  return (
    <>
      <ul class="chips" aria-label="This search">
        {conditions.map((condition) => (
          <li key={conditionText(condition)} class="chip">{formatCondition(condition, zone)}</li>
        ))}
        <li>
          <a href={fileSetsHref(cleared(view))}>Clear all</a>
        </li>
      </ul>
      <p class="help">This search is too long to change by links. Change its text instead.</p>
    </>
  );
}

function ConditionChip({ condition, view, zone, isOff }: {
  readonly condition: Condition;
  readonly view: FileSetsView;
  readonly zone: string;
  readonly isOff?: true;
}) {
  const text = formatCondition(condition, zone);
  const identity = conditionText(condition);
  const isEdited = view.edit === identity;
  const exact = isDateCondition(condition)
    ? `${formatTimes(condition, zone)} ${formatZone(zone)}`
    : "Edit, negate or switch off";
  return (
    <li class={isOff ? "chip off" : "chip"}>
      {isOff && (
        <a href={fileSetsHref(switchedOn(view, condition))} aria-label={`Switch on: ${text}`}>
          off
        </a>
      )}
      <a
        href={fileSetsHref(isEdited ? editing(view, {}) : editing(view, { edit: identity }))}
        aria-label={`Edit: ${text}`}
        aria-expanded={isEdited}
        title={exact}
      >
        {condition.not ? <Negated text={text} /> : text}
      </a>
      <a
        href={fileSetsHref(replaced(view, condition, []))}
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

function cleared({ off: _off, ...view }: FileSetsView): FileSetsView {
  return withBody(view, {});
}

function reversed({ field, order }: FieldSort): FieldSort {
  return { field, order: order === "DESC" ? "ASC" : "DESC" };
}
