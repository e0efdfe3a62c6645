/** Reads files of CSV that people send, and says what is wrong with each line. */
import { formatCountOf } from "../../lib/format.ts";
import { ProblemError } from "../http/problem.ts";
import type { LineIssue } from "../schedules/schedule_file.ts";
import { CsvError } from "../store/import/csv_rows.ts";

/** The most lines that an answer names. */
const MAX_NAMED = 100;

/**
 * @throws {ProblemError} If it is no such CSV, or has wrong lines; its parameters are such as `line 3`
 */
export async function readCsv<Read extends { readonly issues: readonly LineIssue[] }>(
  read: () => Promise<Read>,
): Promise<Read> {
  let file: Read;
  try {
    file = await read();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ProblemError(400, `Nothing was saved: ${error.message}`);
  }
  const { length } = file.issues;
  if (length === 0) return file;
  const errors = file.issues.slice(0, MAX_NAMED)
    .map(({ line, issue }) => ({ parameter: `line ${line}`, detail: issue }));
  const wrong = formatCountOf(length, "line is", "lines are");
  throw new ProblemError(400, `Nothing was saved: ${wrong} wrong`, { errors });
}
