/** Who does something at the command line, for timelines. */
import { type Arguments, TaskError } from "../../store/tasks/task.ts";

const MOST_CHARACTERS = 100;

/** The name that `--by` gives. */
export function personOf({ by }: Arguments["options"]): string {
  if (by === undefined) return "somebody at the command line";
  const name = by.trim();
  if (name !== "" && name.length <= MOST_CHARACTERS) return name;
  throw new TaskError(`--by must be a name of at most ${MOST_CHARACTERS} characters`);
}
