import { assertEquals, assertThrows } from "@std/assert";
import { checkRow, type Members } from "../../../lib/client/row_checks.ts";

const MEMBERS: Members = {
  id: { kind: "string", mayBeMissing: false },
  name: { kind: "string", mayBeMissing: true },
  size: { kind: "integer", mayBeMissing: true },
};

/** What the check says of a row. */
function said(row: unknown): string {
  const makeError = (path: string, expected: string) => new Error(`${path} must be ${expected}`);
  return assertThrows(() => checkRow(row, "row", MEMBERS, makeError)).message;
}

Deno.test("checkRow: of several wrong members, one that is missing is named, then the first", () => {
  assertEquals(said({ size: "1", name: 2 }), "row.id must be a non-empty string");
  assertEquals(said({ name: 2, id: 5 }), "row.id must be a string");
  assertEquals(said({ id: "a", size: "1", name: 2 }), "row.size must be an integer");
  assertEquals(said({ id: "a", name: 2, size: "1" }), "row.name must be a string");
});

Deno.test("checkRow: a wrong member is left out where allowed, unless it is needed", () => {
  const left: string[] = [];
  const makeError = (path: string) => new Error(path);
  const check = (row: unknown) =>
    checkRow(row, "row", MEMBERS, makeError, (path, expected) => left.push(`${path}: ${expected}`));
  assertEquals(check({ id: "a", size: "1", name: "b" }), { id: "a", name: "b" });
  assertEquals(left, ["row.size: an integer"]);
  assertThrows(() => check({ id: 5 }), Error, "row.id");
});
