/** report.html: what a pack says, for people. It runs no scripts and requests nothing. */
import { cellText } from "../export.ts";
import { formatCount, shorten } from "../format.ts";
import type { EvidenceManifest } from "./manifest.ts";

/** The most rows of the report, and the most characters of a cell. */
export const MOST_SHOWN = 1000;
const MOST_CHARACTERS = 5000;

const STYLE = "body{font:11pt/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}" +
  "table{border-collapse:collapse;display:block;overflow-x:auto}tr{break-inside:avoid}th,td{border-bottom:1px solid #999;" +
  "padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}";

const COLUMNS = "scheduleId id name owner permission updated fileCount startTime status recipients";

/** Writes the report, with the first rows of items.ndjson. */
export function reportHtml(manifest: EvidenceManifest, rows: readonly object[]): string {
  const { asked, service, by, made, docket, complete, incomplete, proves, readings } = manifest;
  const title = `Evidence: ${escapeHtml(asked.words)}`;
  const columns = COLUMNS.split(" ").filter((name) => rows.some((row) => name in row));
  const facts = { Service: service, Made: made, By: by?.name, Docket: docket };
  const read = readings.map(({ reading, scheduleId, totals, rows, ...more }) => ({
    Reading: reading,
    Schedule: scheduleId,
    "From": more.started,
    "To": more.ended,
    Requests: more.requests,
    "Totals claimed": Object.entries(totals).map(([of, total]) => `${of}: ${total}`).join(", "),
    Rows: rows,
    Refused: more.refused,
  }));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<h1>${title}</h1>
<p><strong>${complete ? "Complete" : "Incomplete"}.</strong> ${escapeHtml(incomplete.join(" "))}</p>
<p>${escapeHtml(proves)}</p>
${table([facts])}
<h2>Rows</h2>
<p>At most the first ${formatCount(MOST_SHOWN)}, and ${
    formatCount(MOST_CHARACTERS)
  } characters of a value; items.ndjson has all, with every field.</p>
${table(rows, columns)}
<h2>Readings</h2>
${table(read)}
</body></html>
`;
}

/** `table([{ id: 1 }])` → `<table><tr><th>id</tr><tr><td>1</tr></table>` */
function table(rows: readonly object[], columns = Object.keys(rows[0] ?? {})): string {
  const line = (tag: string, cells: readonly unknown[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cellText(cell))}`).join("")}</tr>`;
  const lines = rows.map((row) => line("td", columns.map((name) => Reflect.get(row, name))));
  return `<table>${[line("th", columns), ...lines].join("\n")}</table>`;
}

function escapeHtml(text: string): string {
  return shorten(text, MOST_CHARACTERS).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
