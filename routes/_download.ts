/** Downloads of all rows of a search or a history, and long texts made while being sent. */
import {
  EXPORT_FORMATS,
  exportFileName,
  type ExportFormat,
  isExportFormat,
} from "../components/export/export_formats.ts";
import { exportStream } from "../components/export/export_stream.ts";
import { maskRecipient } from "../lib/runs/mask.ts";
import type { ParameterIssue } from "../lib/search/search_url_read.ts";
import { primedRows } from "../server/backend/primed_rows.ts";
import { ProblemError } from "../server/http/problem.ts";
import { streamedResponse, type StreamedText } from "../server/http/text_response.ts";
import { logInterruptedDownload } from "../server/log/log_problem.ts";
import type { Log } from "../server/log/log.ts";

/** Rows per request. A service may return fewer. */
export const DOWNLOAD_PAGE_LIMIT = 1000;

/**
 * The format in a link.
 *
 * @throws {ProblemError} With every issue of the link.
 */
export function readDownload(
  params: URLSearchParams,
  issues: readonly (ParameterIssue | { readonly pointer: string; readonly detail: string })[],
): ExportFormat {
  const format = params.get("format");
  if (!isExportFormat(format)) {
    const detail = `must be one of ${Object.keys(EXPORT_FORMATS).join(", ")}`;
    throw new ProblemError(400, `format ${detail}`, {
      errors: [...issues, { parameter: "format", detail }],
    });
  }
  if (issues.length > 0) throw new ProblemError(400, "This link is not valid", { errors: issues });
  return format;
}

/** Rows of recipients for a file: with masked addresses, unless the link asks for whole ones. */
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

/** A long text. An error before its first piece is thrown; a later one is logged and aborts it. */
export async function longTextResponse(
  { req, state: { log } }: DownloadContext,
  { contentType, pieces }: StreamedText,
): Promise<Response> {
  const primed = await primedRows(
    pieces,
    (error) => logInterruptedDownload(log, error, req.signal),
  );
  return streamedResponse(req, { contentType, pieces: primed });
}

/**
 * A download of all rows. An error before the first row is thrown. A later one, or rows that change
 * meanwhile, aborts the download, so that an incomplete file does not look complete.
 */
export async function downloadResponse<Row extends object>(
  { req, state: { log } }: DownloadContext,
  { subject, format, rows, columns }: {
    readonly subject: string;
    readonly format: ExportFormat;
    readonly rows: AsyncIterable<Row>;
    readonly columns: readonly string[];
  },
): Promise<Response> {
  const primed = await primedRows(rows, (error) => logInterruptedDownload(log, error, req.signal));
  const name = exportFileName(subject, format, new Date(), true);
  return new Response(exportStream(format, primed, columns), {
    headers: {
      "content-type": EXPORT_FORMATS[format].type,
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
