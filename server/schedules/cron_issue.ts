/** What is wrong with a cron expression, in words for people. */
import { cronFields, readCron } from "../../lib/judgement/plans/cron.ts";

const MOST_CHARACTERS = 200;

/** What is wrong with a line; null if it is right. */
export function cronIssue(line: string): string | null {
  if (line.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  const count = line.split(/\s+/).length;
  if (count !== 5 && !line.startsWith("@")) {
    return `must have five fields (${cronFields().join(", ")}), not ${count}`;
  }
  try {
    readCron(line);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
