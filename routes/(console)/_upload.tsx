import { Field } from "../../components/ui/form.tsx";
import { Outcome } from "../../components/ui/notices.tsx";
import { isProblemError } from "../../server/http/problem.ts";
import { CsvError } from "../../server/store/import/csv_rows.ts";

/** The most wrong lines that a page lists. */
export const MAX_SHOWN = 100;

interface UploadFailure {
  readonly error: string;
  /** What is wrong with a line, by its number or place. */
  readonly issues: readonly { readonly line: string; readonly issue: string }[];
  /** Whether everything was saved; `error` then says what. */
  readonly isDone?: boolean;
}

export const NOT_FAILED: UploadFailure = { error: "", issues: [] };

export async function readUpload(
  form: FormData,
  read: (file: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<Response | UploadFailure>,
): Promise<Response | UploadFailure> {
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) {
    return { error: "Choose a file that is not empty.", issues: [] };
  }
  try {
    return await read(file.stream());
  } catch (error) {
    if (error instanceof CsvError) {
      return { error: `Nothing was saved: ${error.message}.`, issues: [] };
    }
    if (!isProblemError(error) || error.problem.status !== 400) throw error;
    const issues = error.problem.errors.map(({ parameter, detail }) => ({
      line: parameter ?? "",
      issue: detail,
    }));
    return { error: `${error.message}.`, issues };
  }
}

export function UploadNotice({ error, issues, isDone = false }: UploadFailure) {
  if (!error) return null;
  return (
    <Outcome isBad={!isDone}>
      <p>{error}</p>
      {issues.length > 0 && (
        <ul>
          {issues.slice(0, MAX_SHOWN).map(({ line, issue }) => (
            <li key={line} class="capital">{line}: {issue}</li>
          ))}
          {issues.length > MAX_SHOWN && <li>and others</li>}
        </ul>
      )}
    </Outcome>
  );
}

export function FileField({ label = "CSV file, at most 4 MB", accept = ".csv,text/csv" }) {
  return <Field name="file" label={label} type="file" accept={accept} required />;
}
