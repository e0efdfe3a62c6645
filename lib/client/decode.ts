/**
 * Parses an answer into the types of the interface, or throws a {@linkcode ShapeError} that names
 * what is wrong. Values are returned unchanged, and unknown fields too; but times that are numbers
 * become texts, a `totalCount` is the total, and a name is the id of a file set that has none. Any
 * other field may be missing or null.
 */
import { isCount } from "../check.ts";
import { ShapeError } from "../errors.ts";
import { FILE_SET_FIELDS, PAGE_CONTEXT_FIELDS, RECIPIENT_FIELDS, RUN_FIELDS } from "../fields.ts";
import {
  checkRow,
  checkRows,
  isInexact,
  isRow,
  type Members,
  type OnLeftOut,
} from "./row_checks.ts";
import type { FileSetPage, ReportRun } from "../types.ts";
import type { UnexpectedAnswers } from "./walks/walk.ts";

/** Parses an answer's text as JSON. Throws a ShapeError if it is empty or not JSON. */
export function parseJson(text: string): unknown {
  // `trim` removes a byte order mark, too.
  const json = text.trim();
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message is left out: it repeats parts of the body.
    const what = json === "" ? "empty" : looksCutOff(json) ? "JSON that was cut off" : "not JSON";
    throw new ShapeError("", `the answer is ${what}`, { excerpt: json });
  }
}

/** Whether a text begins like JSON; if it is not valid, it was cut off, and a retry may help. */
export function looksCutOff(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Checks the answer to a search; with `unexpected`, leaves out and counts fields of other types. */
export function decodeFileSetPage(answer: unknown, unexpected?: UnexpectedAnswers): FileSetPage {
  const onLeftOut = counterFor(unexpected);
  const page = checkRow(answer, "", { fileSets: ANY, pageContext: ANY }, shapeError, onLeftOut);
  const { fileSets, pageContext } = page;
  if (!fileSets) {
    // Naming the members helps to see which other service answered.
    const members = Object.keys(page).slice(0, 10).join(", ");
    throw shapeError("fileSets", "an array", fileSets, `; its members are ${members}`);
  }
  if (Array.isArray(fileSets)) {
    for (const row of fileSets) {
      if (isRow(row) && (row.id ?? "") === "" && row.name) row.id = row.name;
    }
  }
  checkRows(fileSets, "fileSets", FILE_SET_FIELDS, shapeError, onLeftOut);
  const context = checkRow(pageContext, "pageContext", PAGE_CONTEXT, shapeError, onLeftOut);
  if (isCount(context.totalCount)) context.total ??= context.totalCount;
  return answer as FileSetPage;
}

export function decodeHistory(
  answer: unknown,
  unexpected?: UnexpectedAnswers,
): readonly ReportRun[] {
  const members = { ...RUN_FIELDS, recipients: ANY };
  const onLeftOut = counterFor(unexpected);
  checkRows(answer, "", members, shapeError, onLeftOut).forEach(({ recipients }, index) =>
    checkRows(recipients ?? [], `[${index}].recipients`, RECIPIENT_FIELDS, shapeError, onLeftOut)
  );
  return answer as readonly ReportRun[];
}

const ANY = { kind: "any", mayBeMissing: true } as const;

const PAGE_CONTEXT: Members = {
  ...PAGE_CONTEXT_FIELDS,
  totalCount: { kind: "integer", mayBeMissing: true },
};

function counterFor(unexpected: UnexpectedAnswers | undefined): OnLeftOut | undefined {
  return unexpected && ((indexedPath, expected) => {
    const path = indexedPath.replace(/\[\d+\]/g, "[]");
    unexpected.set(path, { path, expected, count: (unexpected.get(path)?.count ?? 0) + 1 });
  });
}

function shapeError(path: string, expected: string, value: unknown, more = ""): ShapeError {
  const where = `${path && `${path} of `}the answer`;
  return new ShapeError(path, `${where} must be ${expected}, but is ${describe(value)}${more}`);
}

/** Describes a value without repeating it. */
function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isInexact(value)) return "too large to be exact";
  return value ? `of type ${typeof value}` : JSON.stringify(value);
}
