/** The baseline of `api.ts`: hand-written statements behind `Deno.serve`. Argument: the SQLite file. */
import { DatabaseSync } from "node:sqlite";
import { serveHere } from "./load.ts";

const db = new DatabaseSync(Deno.args[0], { readOnly: true });
const columns = "id, name, description, created, created_by AS createdBy, updated, " +
  "updated_by AS updatedBy, owner, permission, file_count AS fileCount";
const { total } = db.prepare("SELECT count(*) AS total FROM file_sets").get()!;
// Late lookup: the keys of the page from the index alone, then its rows.
const page = db.prepare(
  `SELECT ${columns} FROM (SELECT key FROM file_sets ORDER BY name, id LIMIT ? OFFSET ?) ` +
    "CROSS JOIN file_sets USING (key)",
);

serveHere(async (request) => {
  const { searchParams } = new URL(request.url);
  await request.json();
  const limit = Number(searchParams.get("limit") ?? 100);
  const offset = Number(searchParams.get("offset") ?? 0);
  const rows = page.all(limit, offset);
  for (const row of rows) {
    if (row.description === null) delete row.description;
    // The cheapest way by hand; strftime in the statement takes longer.
    row.created = new Date(row.created as number).toISOString();
    row.updated = new Date(row.updated as number).toISOString();
  }
  const pageContext = { next: String(offset + rows.length), offset, limit, total };
  return new Response(JSON.stringify({ fileSets: rows, pageContext }), {
    headers: { "content-type": "application/json" },
  });
});
