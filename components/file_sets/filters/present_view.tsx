import { editing, type FileSetsView, formatFileSetsView } from "../file_sets_view.ts";
import { INPUTS } from "./draft.ts";

/** A view as the hidden fields of a form, from its first page on. */
export function PresentView({ view }: { readonly view: FileSetsView }) {
  const { offset: _offset, open: _open, ...kept } = editing(view, {});
  return (
    <>
      <input type="hidden" name={INPUTS.form} value="1" />
      {[...formatFileSetsView(kept)].map(([name, value], index) => (
        <input key={`${name}${index}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** What the search's form sends beside its query. */
export function PresentOptions({ view: { q: _q, ...view } }: { readonly view: FileSetsView }) {
  return <PresentView view={{ ...view, body: {} }} />;
}
