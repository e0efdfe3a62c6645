/** report.html: a page to print, without names or scripts. */
import { formatCount, formatCountOf } from "../format.ts";
import { maskAddresses } from "../runs/recipients.ts";
import type { SearchBody } from "../types.ts";
import type { EvidenceManifest, Proof } from "./manifest.ts";
import { PERSON_FIELDS } from "./people.ts";
import { listWords, resolveQuestion } from "./question.ts";

const STYLE =
  `body{font:11pt/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #999;padding:.3rem;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:8pt;overflow-wrap:anywhere}
tr{break-inside:avoid}@page{margin:2cm}`;

export function reportHtml(
  statement: Omit<EvidenceManifest, "files">,
  { lists, inNone }: Proof,
): string {
  const { asked, service, made, docket, coverage, readings, snapshot } = statement;
  const shown = lists.map((list) => "body" in list ? { ...list, body: nameless(list.body) } : list);
  const words = asked.body
    ? resolveQuestion({ kind: "search", body: nameless(asked.body) }).words
    : asked.words;
  const known = coverage
    ? `Schedules known: ${coverage.schedulesKnown ?? "not known"}. Ids asked for: ` +
      `${coverage.idsAsked ?? "not known"}. Runs are stored since: ${
        coverage.ledgerSince ?? "not known"
      }.`
    : "Not known: no Docket server made this.";
  return page(`
<h1>Evidence: ${html(words)}</h1>
<p><strong>${statement.complete ? "Complete" : "Incomplete"}</strong>, as the readings below show.
${statement.incomplete.map(html).join(" ")}</p>
<table>
${row("Service", service)}${row("Made", made)}${
    row("By", "Docket " + docket + "; who asked is in manifest.json")
  }
${row("Other schedules", known)}${row("Proves", statement.proves)}${
    row("Does not prove", statement.doesNotProve)
  }
</table>
<h2>Lists</h2>
<p>${
    inNone > 0
      ? `${formatCountOf(inNone, "row is", "rows are")} in none of the lists after the first. `
      : ""
  }
Each root is the head of a tree (RFC 6962, SHA-256) over the rows in items.ndjson, by id.</p>
<table><tr><th>List<th>Rows<th>Root
${
    shown.map((list, at) =>
      `<tr><td>${at}: ${html(listWords(list, at))}<td class="n">${formatCount(list.size)}` +
      `<td><code>${list.root}</code>`
    ).join("\n")
  }
</table>
<h2>Readings</h2>
<table><tr><th>List<th>Round<th>From<th>To<th>Requests<th>Total claimed<th>Rows read<th>Moved or contradicted
${
    readings.map((reading) =>
      `<tr><td>${reading.list}<td>${reading.round}<td>${reading.began}<td>${reading.ended}` +
      [reading.requests, reading.total, reading.rows].map((count) =>
        `<td class="n">${count === null ? "–" : formatCount(count)}`
      ).join("") + `<td>${html(Object.keys(reading.drift).join(", ") || "nothing")}`
    ).join("\n")
  }
</table>${
    snapshot
      ? `
<h2>Recipients on ${html(asked.on!)}</h2>
<p>The newest run that succeeded by the end of that day shows who was on the list. items.ndjson has
that run, with a digest for each recipient; people.json, if you have it, names them.</p>
<table><tr><th>Schedule<th>Run
${
        snapshot.map(({ scheduleId, run }) =>
          `<tr><td>${scheduleId}<td>${run ?? "none by then: nobody"}`
        ).join("\n")
      }
</table>`
      : ""
  }`);
}

/** A search without the values of conditions on people, and without addresses. */
function nameless(body: SearchBody): SearchBody {
  return {
    ...body,
    ...(body.filters && {
      filters: body.filters.map((filter) => ({
        ...filter,
        ...(filter.value && {
          value: filter.value.map((text) =>
            PERSON_FIELDS.includes(filter.field) ? "…" : maskAddresses(text)
          ),
        }),
      })),
    }),
  };
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evidence</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>${body}
</body></html>
`;
}

function row(name: string, value: string): string {
  return `<tr><th>${html(name)}<td>${html(value)}`;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
