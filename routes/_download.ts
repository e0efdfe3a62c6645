/** Streams downloads of all rows. */
import {
  EXPORT_FORMATS,
  exportFileName,
  type ExportFormat,
  exportStream,
  isExportFormat,
} from "../components/export/export_rows.ts";
import { maskRecipient } from "../lib/runs/recipients.ts";
import { throwIfInvalid, type ValidationIssue } from "../server/http/problem.ts";
import { logInterruptedDownload, markLogged } from "../server/log/log_problem.ts";
import type { Log } from "../server/log/log.ts";

/** Rows per request. A service may return fewer. */
export const DOWNLOAD_PAGE_LIMIT = 1000;

/** The format in a link. @throws {ProblemError} With status 400 if it or something else is not valid */
export function readFormat(
  params: URLSearchParams,
  issues: readonly ValidationIssue[],
): ExportFormat {
  const format = params.get("format");
  const detail = `must be one of ${Object.keys(EXPORT_FORMATS).join(", ")}`;
  throwIfInvalid([...issues, ...isExportFormat(format) ? [] : [{ parameter: "format", detail }]]);
  return format as ExportFormat;
}

/** Rows of recipients for a file: with masked addresses, unless the link asks for full ones. */
export async function* maskedUnlessShown<Row extends Parameters<typeof maskRecipient>[0]>(
  params: URLSearchParams,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row> {
  const isShown = params.get("addresses") === "shown";
  for await (const row of rows) yield isShown ? row : maskRecipient(row);
}

interface DownloadContext {
  readonly req: Request;
  readonly state: { readonly log: Log };
}

/**
 * Waits for the first row, so that an error before it gets a response of its own instead of a broken
 * file. A later error is logged, and aborts the download: an incomplete file must not look complete.
 *
 * @throws the error before the first row
 */
export async function primedRows<Row>(
  { req, state: { log } }: DownloadContext,
  rows: AsyncIterable<Row>,
): Promise<AsyncIterable<Row>> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      logInterruptedDownload(log, error, req.signal);
      // The runtime prints stream errors with everything they carry, email addresses included.
      throw markLogged(new Error("The download was interrupted"));
    } finally {
      await iterator.return?.();
    }
  })();
}

/** Streams all rows as a file. An error before the first row is thrown. */
export async function downloadResponse<Row extends object>(
  ctx: DownloadContext,
  { subject, stored = null, format, rows, columns }: {
    readonly subject: string;
    /** When the rows were read and whether all were, if they are stored; its name says so. */
    readonly stored?: { readonly readAt: number; readonly isWhole: boolean } | null;
    readonly format: ExportFormat;
    readonly rows: AsyncIterable<Row>;
    readonly columns: readonly string[];
  },
): Promise<Response> {
  const primed = await primedRows(ctx, rows);
  const { readAt, isWhole } = stored ?? { readAt: Date.now(), isWhole: true };
  const source = stored ? `${subject}-stored` : subject;
  const name = exportFileName(source, format, new Date(readAt), isWhole);
  return new Response(exportStream(format, primed, columns), {
    headers: {
      "content-type": EXPORT_FORMATS[format].type,
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
