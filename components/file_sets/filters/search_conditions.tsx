import { Chips } from "./chips.tsx";
import { ConditionEditor, type EditorProps } from "./condition_editor.tsx";

/** What the search's form holds below its query: the conditions one by one, and the editor of one. */
export function SearchConditions(props: EditorProps) {
  return (
    <>
      <Chips view={props.view} zone={props.zone} />
      <ConditionEditor {...props} />
    </>
  );
}
