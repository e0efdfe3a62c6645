/** Shows what a service really sends, beside what the interface says. */
import type { ClientOptions } from "../lib/mod.ts";
import { maskAddresses } from "../lib/runs/mask.ts";
import { type SurveyedField, surveyService } from "../lib/client/survey.ts";
import { createRedactor } from "../lib/client/transport/redact.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { layOut } from "./table.ts";

/**
 * Requests one page of each operation and writes a table of every field; without a schedule id, of
 * file sets only. The exit code is `failed` when the client could not work with an answer.
 */
export async function check(
  scheduleId: number | undefined,
  json: boolean,
  client: ClientOptions,
  io: Io,
): Promise<number> {
  const surveys = await surveyService(client, scheduleId === undefined ? {} : { scheduleId });
  const isGood = surveys.every(({ fields }) => fields.every(({ isGood }) => isGood));
  const { add, redact } = createRedactor();
  if (typeof client.token === "string") add(client.token);
  // People show this table to others, and a field's name may contain anything.
  const shown = (text: string) => maskAddresses(redact(text));
  const shownSurveys = surveys.map(({ fields, ...survey }) => ({
    ...survey,
    fields: fields.map((field) => ({ ...field, path: shown(field.path) })),
  }));
  if (json) await io.out.write(JSON.stringify(shownSurveys, null, 2) + "\n");
  for (const [index, { operation, rows, fields }] of json ? [] : shownSurveys.entries()) {
    const lines = fields.map(lineOf);
    const table = layOut(["", "field", "interface", "received", "missing"], lines, io);
    const head = `${index > 0 ? "\n" : ""}${operation}: ${rows} rows\n${table.head()}`;
    await io.out.write(head + lines.map(table.line).join(""));
    await table.printCut("--json writes everything");
  }
  return isGood ? ExitCode.done : ExitCode.failed;
}

function lineOf({ path, documented, types, missing, isGood }: SurveyedField) {
  return {
    "": isGood ? "ok" : "BAD",
    field: path,
    interface: documented ?? "(not listed)",
    received: Object.entries(types).map(([type, count]) => `${type} ${count}`).join(", "),
    missing,
  };
}
