/** What `--json` writes, as JSON schemas. */
import { type Field, FILE_SET_FIELDS, RECIPIENT_FIELDS, RUN_FIELDS } from "../lib/fields.ts";
import { SPAN_FIELDS } from "../lib/runs/recipient_spans.ts";
import { HEADLINES } from "../lib/judgement/headline.ts";
import { UsageError } from "./command.ts";
import { type CommandName, COMMANDS } from "./options.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The schema (draft 2020-12) of what a command writes with `--json`. */
export function schemaOf(command: string): Schema {
  const names = Object.keys(COMMANDS) as CommandName[];
  const name = names.find((name) => name === command);
  if (name === undefined) throw new UsageError(`schema needs a command: ${names.join(", ")}`);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...SCHEMAS[name]() };
}

const SCHEMAS: Readonly<Record<CommandName, () => Schema>> = {
  filesets: () => list(record(FILE_SET_FIELDS)),
  history: () => list(runSchema()),
  recipients: () => list(record(SPAN_FIELDS)),
  who: () => list(record(SPAN_FIELDS)),
  judge: () =>
    list(object({
      scheduleId: { type: "integer" },
      state: { enum: ["up", "late", "down", "unknown", "new"] },
      headline: { enum: [...HEADLINES] },
      plan: { type: ["string", "null"] },
      planSource: { enum: ["confirmed", "inferred", null] },
      next: { type: ["string", "null"], format: "date-time" },
      runs: { type: "integer" },
      reasons: list(object({
        code: { type: "string" },
        severity: { enum: ["critical", "warning", "info"] },
        since: { type: ["string", "null"], format: "date-time" },
        count: { type: ["integer", "null"] },
        text: { type: "string" },
      })),
    })),
  assert: () =>
    object({
      passes: { type: "boolean" },
      max: { type: "integer" },
      count: { type: "integer" },
      isMore: { type: "boolean" },
      fileSets: list(record(FILE_SET_FIELDS)),
    }),
  evidence: () =>
    object({
      pack: { type: "string" },
      complete: { type: "boolean" },
      incomplete: list({ type: "string" }),
    }),
  verify: () =>
    object({
      outcome: { enum: ["holds", "unknown key", "does not hold", "not a pack"] },
      complete: { type: "boolean" },
      findings: list(object({ holds: { type: "boolean" }, text: { type: "string" } })),
    }),
  check: () =>
    list({
      ...object({
        operation: { enum: ["search file sets", "get report history"] },
        rows: { type: "integer" },
        fields: list({
          type: "object",
          properties: {
            path: { type: "string" },
            documented: { type: "string" },
            types: { type: "object", additionalProperties: { type: "integer" } },
            missing: { type: "integer" },
            isGood: { type: "boolean" },
          },
          required: ["path", "types", "missing", "isGood"],
        }),
      }),
    }),
};

function runSchema(): Schema {
  const { properties, ...run } = record(RUN_FIELDS) as { properties: Schema };
  const recipients = { type: ["array", "null"], items: record(RECIPIENT_FIELDS) };
  return { ...run, properties: { ...properties, scheduleId: { type: "integer" }, recipients } };
}

function list(items: Schema): Schema {
  return { type: "array", items };
}

function object(properties: Schema): Schema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** Services may leave fields out, and add others. */
function record(fields: Readonly<Record<string, Field>>): Schema {
  const properties = Object.entries(fields).map(([name, { kind, mayBeMissing }]) => {
    const type = kind === "date-time" ? "string" : kind;
    return [name, { type: mayBeMissing ? [type, "null"] : type }];
  });
  const required = Object.keys(fields).filter((name) => !fields[name].mayBeMissing);
  return { type: "object", properties: Object.fromEntries(properties), required };
}
