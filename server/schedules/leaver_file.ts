/** Reads a file of leavers or of staff. */
import { startOfDay } from "../../lib/days.ts";
import { DAY } from "../../lib/time_units.ts";
import { wholeNumber } from "../../lib/format.ts";
import { comparedAddress, ownUserId } from "../../lib/runs/recipients.ts";
import { SPAN_COLUMNS } from "../../lib/runs/recipient_spans.ts";
import { type CsvRow, csvRows } from "../store/import/csv_rows.ts";
import type { Leaver } from "../store/people/leavers.ts";
import { type CsvStream, type LineIssue, readLines } from "./schedule_file.ts";

/** The columns of a file; each row has a user id or an address. */
export const PEOPLE_COLUMNS = ["userId", "emailAddress", "displayName", "left"];
/** Also the columns of an export of people, so that it can be read again. */
const FILE_COLUMNS = [...new Set([...PEOPLE_COLUMNS, ...SPAN_COLUMNS])];

/** People in rows without a day left `now`. @throws {CsvError} If the file is not such CSV */
export async function readPeopleFile(
  file: CsvStream,
  now: number,
): Promise<{ readonly people: readonly Leaver[]; readonly issues: readonly LineIssue[] }> {
  const people = new Map<string, Leaver>();
  const rows = csvRows(file, FILE_COLUMNS);
  const issues = await readLines(rows, (cells) => {
    const person = readLeaver(cells, now);
    const key = `${person.userId ?? person.address}`;
    if ((people.get(key) ?? person).leftAt !== person.leftAt) {
      throw new RangeError("left differs from an earlier line with this person");
    }
    people.set(key, person);
  });
  return { people: [...people.values()], issues };
}

/** A person in a row of a file. @throws {RangeError} That says what is wrong */
export function readLeaver(
  { userId: id = "", emailAddress = "", left = "" }: CsvRow["cells"],
  now: number,
): Leaver {
  const number = id === "" ? null : wholeNumber(id);
  if (number === null && !/^(-\d+)?$/.test(id)) {
    throw new RangeError("userId must be a whole number up to 9,007,199,254,740,991");
  }
  const userId = ownUserId({ userId: number });
  const isMasked = emailAddress.includes("…");
  if (isMasked ? userId === null : emailAddress !== "" && !/^\S+@\S+$/.test(emailAddress)) {
    throw new RangeError("emailAddress must be a whole email address, not a masked one");
  }
  if (userId === null && emailAddress === "") {
    throw new RangeError("a positive userId or an emailAddress is required");
  }
  const day = startOfDay(left, "UTC");
  if (left !== "" && day === undefined) {
    throw new RangeError("left must be a day, such as 2026-09-30, or empty");
  }
  const leftAt = day === undefined ? now : day + DAY;
  return { userId, address: isMasked ? null : comparedAddress(emailAddress) ?? null, leftAt };
}
