/** What is wrong with a cron expression, in words for people. */
import { CRON_FIELDS, cronWords } from "../../lib/judgement/plans/cron_words.ts";
import { readPlan } from "../../lib/judgement/plans/plan.ts";

const MOST_CHARACTERS = 200;

/** What is wrong with a line; null if it is right. */
export function cronIssue(line: string): string | null {
  if (line.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  const count = line.split(" ").length;
  if (count !== CRON_FIELDS.length) {
    return `must have five fields (${CRON_FIELDS.join(", ")}), not ${count}`;
  }
  try {
    readPlan({ cron: [line], zone: "UTC" });
    return null;
  } catch (error) {
    return cronWords((error as Error).message);
  }
}
