/** The JSON of a run without its recipients: a list of recipients is stored once for all its runs. */
import type { ReportRun } from "../../../lib/types.ts";

/** Where the recipients belong. `JSON.stringify` writes no blank there, so nothing else looks like it. */
const PLACE = '"recipients": []';

/** `{ id: 7, recipients: [ada], status: "ok" }` → `{"id":7,"recipients": [],"status":"ok"}` */
export function withoutRecipients(run: ReportRun): string {
  const fields = Object.entries(run).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]) =>
    name === "recipients" && Array.isArray(value)
      ? PLACE
      : `${JSON.stringify(name)}:${JSON.stringify(value)}`
  );
  return `{${texts.join(",")}}`;
}

/** The run's JSON as it was; `recipients` is the JSON of its list. */
export function withRecipients(json: string, recipients: string): string {
  return json.replace(PLACE, () => `"recipients":${recipients}`);
}
