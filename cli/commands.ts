/** Every command, in the order of the help. Those of two words are a group. */
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { evidence, verify } from "./evidence.ts";
import { incidents } from "./incidents.ts";
import { judgeSchedules } from "./judge.ts";
import { fileSets, history } from "./list.ts";
import { recipients, who } from "./recipients.ts";
import { leavers, schedules } from "./schedules.ts";
import { watch } from "./watch.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  filesets: fileSets,
  history,
  recipients,
  who,
  judge: judgeSchedules,
  check,
  ...incidents,
  ...evidence,
  verify,
  ...watch,
  ...schedules,
  leavers,
};
