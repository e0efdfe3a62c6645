import { type UnknownStatus, unknownStatusText } from "../../../lib/runs/status.ts";
import { SERVICE_PATH } from "../run_links.tsx";

/** What a list of recipients leaves out, because nobody knows whether the runs went out. */
export function LeftOut({ unknown }: { readonly unknown: readonly UnknownStatus[] }) {
  if (unknown.length === 0) return null;
  return (
    <p class="notice warning" role="status">
      Left out: {unknownStatusText(unknown)}. <a href={SERVICE_PATH}>Say what it means</a>.
    </p>
  );
}
