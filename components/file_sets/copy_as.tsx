import type { VNode } from "preact";
import type { SearchCode } from "./search_code.ts";

const NAMES = { link: "Link", curl: "curl", script: "Script" } as const;

/** A view as a link, as a command and as a script, to read and to copy. */
export function CopyAs({ code, onToggle, copyButton }: {
  readonly code: SearchCode;
  readonly onToggle: (open: boolean) => void;
  readonly copyButton: (text: string, label: string) => VNode;
}) {
  return (
    <details class="copy-as" onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>Copy as…</summary>
      <div class="card">
        {(["link", "curl", "script"] as const).map((kind) => (
          <section key={kind}>
            <h2>{NAMES[kind]} {copyButton(code[kind], `Copy ${NAMES[kind]}`)}</h2>
            <pre tabIndex={0}>{code[kind]}</pre>
          </section>
        ))}
        <p class="help">The token is not in any of them: set TOKEN, or DOCKET_TOKEN, yourself.</p>
      </div>
    </details>
  );
}
