/** Calls operations of the API of records, and holds every answer against its description. */
import { assertEquals } from "@std/assert";
import { RECORD_OPERATIONS } from "../../server/api/records.ts";
import { RECORDS_API } from "../../server/http/paths.ts";
import type { ValidationIssue } from "../../server/http/problem.ts";
import { type App, HEADER, ORIGIN, TOKEN } from "../app.ts";

export interface RecordCall {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** JSON, or CSV as a text. */
  readonly body?: unknown;
  readonly token?: string;
}

/** Calls an operation by its id, such as `listIncidents`. */
export async function callRecords(
  { fetch }: Pick<App, "fetch">,
  id: string,
  { params = {}, query = {}, body, token = TOKEN }: RecordCall = {},
  // deno-lint-ignore no-explicit-any
): Promise<{ readonly status: number; readonly answer: any }> {
  const operation = RECORD_OPERATIONS.find((each) => each.id === id)!;
  const path = operation.path.replace(
    /:(\w+)/g,
    (_, name) => encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const isCsv = typeof body === "string";
  const response = await fetch(
    new Request(`${ORIGIN}${RECORDS_API}${path}?${search}`, {
      method: operation.method,
      headers: { [HEADER]: token, "content-type": isCsv ? "text/csv" : "application/json" },
      ...body !== undefined && { body: isCsv ? body : JSON.stringify(body) },
    }),
  );
  const { status } = response;
  const json = await response.text();
  if (status >= 400) return { status, answer: JSON.parse(json) };
  const expected = operation.status ?? (operation.answer ? 200 : 204);
  assertEquals(status, expected, `${id}: ${json}`);
  if (!operation.answer) {
    assertEquals(json, "");
    return { status, answer: null };
  }
  const answer = JSON.parse(json);
  const faults: ValidationIssue[] = [];
  operation.answer.read(answer, "", faults);
  assertEquals(faults, [], `${id}: ${json.slice(0, 2000)}`);
  return { status, answer };
}
