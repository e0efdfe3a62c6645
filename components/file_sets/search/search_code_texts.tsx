import { CopyButton } from "../../ui/copy_button.tsx";
import type { FileSetsView } from "../file_sets_view.ts";
import { type CodeTarget, searchCode } from "./search_code.ts";

const KINDS = [["link", "Link"], ["curl", "curl"], ["script", "Script"]] as const;

/** A view as a link, a curl command and a script. */
export function SearchCodeTexts({ view, target }: {
  readonly view: FileSetsView;
  readonly target: CodeTarget;
}) {
  const code = searchCode(view, target);
  return (
    <>
      {KINDS.map(([kind, name]) => (
        <section key={kind}>
          <h2>
            {name} <CopyButton text={code[kind]} label={`Copy ${name}`} />
          </h2>
          <pre tabIndex={0}>{code[kind]}</pre>
        </section>
      ))}
      <p class="help">
        The token is not included. Set <code>DOCKET_TOKEN</code> in your environment.
      </p>
    </>
  );
}
