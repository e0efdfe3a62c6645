/** The arguments of the commands that make and verify packs of evidence. */
import { startOfDay } from "../lib/days.ts";
import { timeText } from "../lib/format.ts";
import type { EvidenceQuestion } from "../lib/evidence/mod.ts";
import { readId, readIds, readZone, type Values } from "./argument_values.ts";
import {
  type ConnectionArguments,
  type EvidenceCommand,
  UsageError,
  type VerifyCommand,
} from "./command.ts";
import { readSubject } from "./list_arguments.ts";

const SUBJECTS = "filesets, history, recipients or key";

export function readEvidence(
  values: Values,
  [subject, ...rest]: readonly string[],
  connection: ConnectionArguments,
): EvidenceCommand {
  const { key = [], out } = values;
  const name = "evidence";
  if (subject === "key") {
    if (typeof values.new !== "string") throw new UsageError("evidence key needs --new FILE");
    return { ...connection, name, newKey: values.new };
  }
  const question = readQuestion(values, subject, rest);
  if (typeof out !== "string") throw new UsageError("evidence needs --out FILE");
  if (key.length > 1) throw new UsageError("evidence signs with one --key");
  return { ...connection, name, question, out, ...(key[0] && { key: key[0] }) };
}

export function readVerify(
  { key = [] }: Values,
  words: readonly string[],
  connection: ConnectionArguments,
): VerifyCommand {
  if (words.length !== 1) throw new UsageError("verify needs one pack");
  return { ...connection, name: "verify", pack: words[0], keys: key };
}

function readQuestion(
  values: Values,
  subject: string | undefined,
  rest: readonly string[],
): EvidenceQuestion {
  const { since, on } = values;
  const zone = readZone(values);
  const forbid = (option: string, isGiven: boolean) => {
    if (isGiven) throw new UsageError(`evidence ${subject} takes no --${option}`);
  };
  forbid("since", subject !== "history" && since !== undefined);
  forbid("on", subject !== "recipients" && on !== undefined);
  switch (subject) {
    case "filesets": {
      const { name, ...read } = readSubject("filesets", values, rest);
      return { kind: "search", body: name === "filesets" && "body" in read ? read.body : {} };
    }
    case "history": {
      const scheduleId = readId("evidence history", rest);
      if (since === undefined) return { kind: "history", scheduleId };
      return { kind: "history", scheduleId, since: readMoment(since, zone) };
    }
    case "recipients":
      if (on === undefined || startOfDay(on, zone) === undefined) {
        throw new UsageError("evidence recipients needs --on DAY, such as 2026-09-30");
      }
      if (rest.length === 0) throw new UsageError("evidence recipients needs ids of schedules");
      return { kind: "recipients", scheduleIds: readIds(rest.join()), on, zone };
    default:
      throw new UsageError(`evidence needs one of ${SUBJECTS}`);
  }
}

function readMoment(text: string, zone: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isTime ? Date.parse(text) : startOfDay(text, zone) ?? NaN;
  if (!Number.isNaN(time)) return timeText(time);
  throw new UsageError("--since must be a day, such as 2026-07-01, or a date-time with a zone");
}
