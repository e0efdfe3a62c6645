import type { ComponentChildren } from "preact";
import type { FieldSort } from "../../lib/types.ts";
import { formatZone } from "../ui/zone.ts";
import { type Condition, isDateCondition, listConditions, without } from "./conditions.ts";
import { type SearchPage, withBody } from "./page_view.ts";
import { formatCondition, formatSortKey, formatTimes } from "./search_words.ts";

export function Chips({ page, children }: {
  readonly page: SearchPage;
  readonly children: ComponentChildren;
}) {
  const { view, href, table } = page;
  const { body } = view;
  const { fieldSort = [] } = body;
  const conditions = listConditions(body);
  const sorted = (fieldSort: readonly FieldSort[]) => href(withBody(view, { ...body, fieldSort }));
  const count = conditions.length + fieldSort.length;
  return (
    <ul class="chips" aria-label="This search">
      {conditions.map((condition, at) => <ConditionChip key={at} {...{ condition, page }} />)}
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
      {count > 1 && (
        <li>
          <a href={href(withBody(view, {}))}>Clear all</a>
        </li>
      )}
      <li class="adding">{children}</li>
    </ul>
  );
}

function ConditionChip({ condition, page }: {
  readonly condition: Condition;
  readonly page: SearchPage;
}) {
  const { view, href, zone } = page;
  const text = formatCondition(condition, page);
  const exact = isDateCondition(condition)
    ? `${formatTimes(condition, zone)} ${formatZone(zone)}`
    : undefined;
  return (
    <li class="chip">
      <span title={exact}>{condition.not ? <Negated text={text} /> : text}</span>
      <a href={href(without(view, condition))} aria-label={`Remove: ${text}`} class="cross">×</a>
    </li>
  );
}

function Negated({ text }: { readonly text: string }) {
  const [before, after] = text.split(/ not /, 2);
  return after === undefined ? <b>{text}</b> : (
    <>
      {before} <b class="not">not</b> {after}
    </>
  );
}

function reversed({ field, order }: FieldSort): FieldSort {
  return { field, order: order === "DESC" ? "ASC" : "DESC" };
}
