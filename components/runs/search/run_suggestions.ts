import type { ReportRun } from "../../../lib/types.ts";
import type { RecipientChoice } from "../recipients/recipient_choices.ts";

const MAX_SUGGESTIONS = 50;

export function runValues(runs: readonly ReportRun[], recipients: readonly RecipientChoice[]) {
  const names = recipients.map(({ name }) => name).filter((name) => name && !name.includes("@"));
  return {
    status: [...new Set(runs.flatMap(({ status }) => status || []))].slice(0, MAX_SUGGESTIONS),
    recipient: names.filter((name) => names.indexOf(name) === names.lastIndexOf(name))
      .slice(0, MAX_SUGGESTIONS),
  };
}
