import type { ComponentProps } from "preact";
import { type Code, CodeTexts } from "../../components/export/code_texts.tsx";
import { ExportLinks } from "../../components/export/export_menu.tsx";
import { TableOptions } from "../../components/search/table_options.tsx";

export function SearchTools(
  { href, evidence, code, ...options }:
    & ComponentProps<typeof ExportLinks>
    & ComponentProps<typeof TableOptions>
    & { readonly code: Code },
) {
  return (
    <>
      <div class="export">
        <ExportLinks href={href} evidence={evidence} />
      </div>
      <details class="menu" name="tools">
        <summary>Columns…</summary>
        <div class="card">
          <TableOptions {...options} />
        </div>
      </details>
      <details class="copy-as menu" name="tools">
        <summary>Copy as…</summary>
        <div class="card">
          <CodeTexts code={code} />
        </div>
      </details>
    </>
  );
}
