import { INPUTS } from "./new_condition.ts";
import { formatPageView, type ShownSearch } from "./page_view.ts";

/** A view as the hidden fields of a form, from its first page on. */
export function PresentView({ view, format = formatPageView }: {
  readonly view: ShownSearch;
  readonly format?: (view: ShownSearch) => URLSearchParams;
}) {
  const { offset: _offset, skip: _skip, open: _open, ...kept } = view;
  return (
    <>
      <input type="hidden" name={INPUTS.form} value="1" />
      {[...format(kept)].map(([name, value], index) => (
        <input key={`${name}${index}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
