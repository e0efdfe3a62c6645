/** Shows the fields that a service really sends beside those of the interface. */
import { type SurveyedField, surveyService } from "../lib/client/survey.ts";
import { formatCountOf } from "../lib/format.ts";
import { createRedactor } from "../lib/client/transport/redact.ts";
import { maskAddresses } from "../lib/runs/recipients.ts";
import { command, ExitCode } from "./command.ts";
import { readId } from "./values.ts";
import { jsonText, writeRows } from "./writer.ts";

const COLUMNS = ["is", "field", "interface", "received", "missing"];

export const check = command({
  arguments: "ID",
  use: "compare what a service sends with the interface; run it first",
  options: {},
  notes: `
Asks for one page of file sets, and one of the history of the schedule ID.
Writes each field with its type in the interface, the types that came, and in
how many rows it is missing; no values. Exits with 1 if the client can't work
with a field, which is marked BAD, and with 3 if there were no rows.
`,
  async run({ values, words, io, connect }) {
    const scheduleId = readId(words);
    const { options } = await connect();
    const surveys = await surveyService(options, scheduleId);
    const { add, redact } = createRedactor();
    if (typeof options.token === "string") add(options.token);
    // People share this table with others, and a field's name may contain anything.
    const shown = surveys.map(({ fields, ...survey }) => ({
      ...survey,
      fields: fields.map((field) => ({ ...field, path: maskAddresses(redact(field.path)) })),
    }));
    if (values.json) await io.out.write(jsonText(shown));
    for (const { operation, rows, fields } of values.json ? [] : shown) {
      await io.out.write(`${operation}: ${formatCountOf(rows, "row", "rows")}\n`);
      const table = {
        format: "table",
        columns: COLUMNS,
        remedy: "--json writes everything",
      } as const;
      await writeRows(fields.map(toRow), table, io);
    }
    const isGood = shown.every(({ fields }) => fields.every(({ isGood }) => isGood));
    if (!isGood) return ExitCode.failed;
    return shown.every(({ rows }) => rows > 0) ? ExitCode.done : ExitCode.incomplete;
  },
});

function toRow({ path, documented, types, missing, isGood }: SurveyedField) {
  return {
    // Of what never came, nobody knows.
    is: !isGood ? "BAD" : Object.keys(types).length > 0 ? "ok" : "",
    field: path,
    interface: documented ?? "(not listed)",
    received: Object.entries(types).map(([type, count]) => `${type} ${count}`).join(", "),
    missing,
  };
}
