export const EXPORT_FORMATS = {
  csv: { name: "CSV", type: "text/csv; charset=utf-8" },
  ndjson: { name: "NDJSON", type: "application/x-ndjson" },
  json: { name: "JSON", type: "application/json" },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export function isExportFormat(format: string | null): format is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, format ?? "");
}

/** The name of an exported file: subject, day, and whether rows may be missing. */
export function exportFileName(
  subject: string,
  format: ExportFormat,
  now: Date,
  complete: boolean,
): string {
  const day = now.toISOString().slice(0, 10);
  return `${subject}-${day}${complete ? "" : "-incomplete"}.${format}`;
}
