import { fileSetsHref, type FileSetsView } from "../components/file_sets_view.ts";
import { searchAsCurl, searchAsScript } from "../components/search_code.ts";
import { CopyButton } from "./CopyButton.tsx";

/** The view as a link, as a command and as a script, to read and to copy. */
export function CopyAs({ view, origin, tokenHeader }: {
  readonly view: FileSetsView;
  /** The origin that answers the interface: Docket's own. */
  readonly origin: string;
  readonly tokenHeader: string;
}) {
  return (
    <details class="copy-as">
      <summary>Copy as…</summary>
      <div class="card">
        <Copied name="Link" text={origin + fileSetsHref(view)} />
        <Copied name="curl" text={searchAsCurl(view, origin, tokenHeader)} />
        <Copied name="Script" text={searchAsScript(view, origin, tokenHeader)} />
        <p class="help">The token is not in any of them: set TOKEN, or DOCKET_TOKEN, yourself.</p>
      </div>
    </details>
  );
}

function Copied({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <section>
      <h2>
        {name} <CopyButton text={text} label={`Copy ${name}`} />
      </h2>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
