/** Names that people give at the command line: of who does something, for timelines, and of schedules. */
import { type Arguments, TaskError } from "../../store/tasks/task.ts";
import { MOST_CHARACTERS } from "../actions.ts";

/** The name that `--by` gives. */
export function personOf({ by }: Arguments["options"]): string {
  if (by === undefined) return "somebody at the command line";
  return readName("by", by);
}

/** A name that an option gives, short enough for a table. */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= MOST_CHARACTERS.name) return name;
  throw new TaskError(`--${option} must be a name of at most ${MOST_CHARACTERS.name} characters`);
}
