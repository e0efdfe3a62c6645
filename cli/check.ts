/** Shows the fields that a service really sends beside those of the interface. */
import {
  FILE_SET_FIELDS,
  PAGE_CONTEXT_FIELDS,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
} from "../lib/fields.ts";
import { createClient } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { command, ExitCode } from "./command.ts";
import { readId } from "./values.ts";
import { writeRows } from "./writer.ts";

type Part = readonly [
  path: string,
  listed: Readonly<Record<string, { readonly kind: string }>>,
  object[],
];

export const check = command({
  arguments: "ID",
  use: "compare what a service sends with the interface; run it first",
  options: {},
  notes: `
Asks for one page of file sets, and one of the history of the schedule ID.
Writes each field with its type in the interface, how many rows have it, and how
many with another type, which the client can't work with; no values. Exits with
1 if there are any such, and with 3 if there were no rows.
`,
  async run({ values, words, io, connect }) {
    const scheduleId = readId(words);
    const client = createClient({ ...connect(), shape: "report" });
    const sets = await client.fileSets.search().withResponse();
    const runs = await client.reportSchedules.history(scheduleId).withResponse();
    const { fileSets, pageContext } = sets.data;
    const recipients = runs.data.flatMap(({ recipients }) => recipients ?? []);
    const parts: Part[] = [
      ["fileSets[]", FILE_SET_FIELDS, [...fileSets]],
      ["pageContext", PAGE_CONTEXT_FIELDS, [pageContext]],
      ["[]", { ...RUN_FIELDS, recipients: { kind: "array" } }, [...runs.data]],
      ["[].recipients[]", RECIPIENT_FIELDS, recipients],
    ];
    const fields = new Map<string, object>();
    for (const [path, listed, rows] of parts) {
      for (const name of new Set([...Object.keys(listed), ...rows.flatMap(Object.keys)])) {
        const field = `${path}.${name}`;
        const count = rows.filter((row) => (Reflect.get(row, name) ?? null) !== null).length;
        const type = listed[name]?.kind ?? "(not listed)";
        // People share this table with others, and a field's name may contain anything.
        fields.set(field, { field: maskAddresses(field), interface: type, rows: count, wrong: 0 });
      }
    }
    const wrong = [...sets.unexpectedAnswers, ...runs.unexpectedAnswers];
    for (const { path, expected, count } of wrong) {
      const known = fields.get(path) ??
        { field: maskAddresses(path), interface: expected, rows: 0 };
      fields.set(path, { ...known, wrong: count });
    }
    const columns = ["field", "interface", "rows", "wrong"];
    await writeRows(fields.values(), { format: values.json ? "json" : "table", columns }, io);
    if (wrong.length > 0) return ExitCode.failed;
    return fileSets.length > 0 && runs.data.length > 0 ? ExitCode.done : ExitCode.incomplete;
  },
});
