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

const TEXT = { type: "string" };
const INTEGER = { type: "integer" };
const BOOLEAN = { type: "boolean" };
const TIME_OR_NULL = { type: ["string", "null"], format: "date-time" };

const SCHEMAS: Readonly<Record<CommandName, () => Schema>> = {
  filesets: () => list(record(FILE_SET_FIELDS)),
  history: () => list(runSchema()),
  recipients: () => list(record(SPAN_FIELDS)),
  who: () => list(record(SPAN_FIELDS)),
  judge: () =>
    list(object({
      scheduleId: INTEGER,
      state: { enum: ["up", "late", "down", "unknown", "new"] },
      headline: { enum: [...HEADLINES] },
      plan: { type: ["string", "null"] },
      planSource: { enum: ["confirmed", "inferred", null] },
      next: TIME_OR_NULL,
      runs: INTEGER,
      reasons: list(object({
        code: TEXT,
        severity: { enum: ["critical", "warning", "info"] },
        since: TIME_OR_NULL,
        count: { type: ["integer", "null"] },
        text: TEXT,
      })),
    })),
  assert: () =>
    object({
      passes: BOOLEAN,
      max: INTEGER,
      count: INTEGER,
      isMore: BOOLEAN,
      fileSets: list(record(FILE_SET_FIELDS)),
    }),
  evidence: () => object({ pack: TEXT, complete: BOOLEAN, incomplete: list(TEXT) }),
  verify: () =>
    object({
      outcome: { enum: ["holds", "unknown key", "does not hold", "not a pack"] },
      complete: BOOLEAN,
      findings: list(object({ holds: BOOLEAN, text: TEXT })),
    }),
  check: () =>
    list(object({
      operation: { enum: ["search file sets", "get report history"] },
      rows: INTEGER,
      // Fields that the interface lists also have its type, as `documented`.
      fields: list(object({
        path: TEXT,
        types: { type: "object", additionalProperties: INTEGER },
        missing: INTEGER,
        isGood: BOOLEAN,
      })),
    })),
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
