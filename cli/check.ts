/** Shows the fields that a service really sends beside those of the interface. */
import { maskAddresses } from "../lib/runs/recipients.ts";
import { type SurveyedField, surveyService } from "../lib/client/survey.ts";
import { createRedactor } from "../lib/client/transport/redact.ts";
import { type CommandLine, ExitCode } from "./command.ts";
import type { Values } from "./options.ts";
import { printTable } from "./table.ts";
import { readId } from "./values.ts";
import { jsonText } from "./writer.ts";

/** Writes a table of all fields; exits with `failed` if the client can't work with an answer. */
export function readCheck({ json }: Values, positionals: readonly string[]): CommandLine {
  const scheduleId = positionals.length > 0 ? readId("check", positionals) : undefined;
  return {
    async run(io, connect) {
      const options = await connect();
      const surveys = await surveyService(options, scheduleId);
      const isGood = surveys.every(({ fields }) => fields.every(({ isGood }) => isGood));
      const { add, redact } = createRedactor();
      if (typeof options.token === "string") add(options.token);
      // People share this table with others, and a field's name may contain anything.
      const shown = surveys.map(({ fields, ...survey }) => ({
        ...survey,
        fields: fields.map((field) => ({ ...field, path: maskAddresses(redact(field.path)) })),
      }));
      if (json) await io.out.write(jsonText(shown));
      for (const [index, { operation, rows, fields }] of json ? [] : shown.entries()) {
        await io.out.write(`${index > 0 ? "\n" : ""}${operation}: ${rows} rows\n`);
        const columns = ["", "field", "interface", "received", "missing"];
        await printTable(columns, fields.map(toRow), io, "--json writes everything");
      }
      return isGood ? ExitCode.done : ExitCode.failed;
    },
  };
}

function toRow({ path, documented, types, missing, isGood }: SurveyedField) {
  return {
    "": isGood ? "ok" : "BAD",
    field: path,
    interface: documented ?? "(not listed)",
    received: Object.entries(types).map(([type, count]) => `${type} ${count}`).join(", "),
    missing,
  };
}
