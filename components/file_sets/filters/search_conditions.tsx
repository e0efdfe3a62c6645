import { Chips } from "./chips.tsx";
import { ConditionEditor, type EditorProps } from "./condition_editor.tsx";

/** What the search's form holds below its query: the conditions one by one, and the editor of one. */
export function SearchConditions(props: EditorProps) {
  return (
    <>
      <Chips view={props.view} zone={props.zone} />
      {/* A key, so that what is typed for one condition does not stay for another. */}
      <ConditionEditor key={`${props.view.add}/${props.view.edit}`} {...props} />
    </>
  );
}
