import { formatCount } from "../../../lib/format.ts";
import type { FileSet, FileSetField } from "../../../lib/types.ts";
import { LoneMoment, Missing } from "../../ui/moment.tsx";
import { columnLabel, FIELDS, isDate } from "../search/search_text.ts";

/** All fields of a file set. */
export function FileSetFacts({ fileSet }: { readonly fileSet: FileSet }) {
  return (
    <dl class="facts">
      {FIELDS.map((field) => (
        <div key={field}>
          <dt>{columnLabel(field)}</dt>
          <dd>
            <FieldValue fileSet={fileSet} field={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue(
  { fileSet, field }: { readonly fileSet: FileSet; readonly field: FileSetField },
) {
  const value = fileSet[field];
  if (value === null || value === undefined || value === "") return <Missing />;
  if (isDate(field)) return <LoneMoment at={String(value)} />;
  if (field === "id") return <code>{value}</code>;
  return <>{field === "fileCount" && typeof value === "number" ? formatCount(value) : value}</>;
}
