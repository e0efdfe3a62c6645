/** `deno task incident`: lists incidents, and acts on one of them as people do in the console. */
import { MAX_CHARACTERS } from "../../store/text.ts";
import { actorText } from "../../../lib/judgement/actor.ts";
import { isMutedAt } from "../../../lib/judgement/incidents/incident.ts";
import type { StoredIncident } from "../../store/records/incidents.ts";
import { type Arguments, runAsProgram, TaskError } from "../../store/tasks/task.ts";
import { type Action, type ActionResult, actOn } from "../actions.ts";
import { isoOrNull } from "../event.ts";
import { incidentTitle, momentText } from "../words.ts";
import { readUntil } from "./arguments.ts";
import { printList, refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP = `Lists open incidents, acknowledges and resolves them.

deno task incident list [--json]
deno task incident acknowledge ID [--by WHO] [--note TEXT] [--json]
deno task incident unacknowledge|resolve|reopen ID [--by WHO] [--note TEXT] [--json]
deno task incident mute ID --until TIME [--by WHO] [--note TEXT] [--json]
deno task incident unmute ID [--by WHO] [--note TEXT] [--json]
deno task incident note ID --note TEXT [--by WHO] [--json]

--by     your name, for the incident's timeline
--note   a note for the timeline
--until  a date-time with a zone, or a duration such as 2h
--json   prints JSON

Ids are in list, in messages, and on the incidents' pages. A running Docket sends messages about the
change within seconds; otherwise, the next deno task observe --once sends them.

Exit code 0: done; 1: there is no such incident, its state does not allow this, or the database
can't be used; 2: an argument or a setting is wrong.`;

const ACT = { options: ["by", "note"], run: act };

export const incident = taskOf(HELP, ["json"], {
  list: { rest: 0, run: list },
  acknowledge: ACT,
  unacknowledge: ACT,
  resolve: ACT,
  reopen: ACT,
  mute: { ...ACT, options: ["until", "by", "note"] },
  unmute: ACT,
  note: ACT,
});

async function act(command: TaskCommand): Promise<void> {
  const { options, rest: [kind], id, flags, records, now, print, actor } = command;
  const action = readAction(kind, options, now);
  if (id === "") throw new TaskError("The id of an incident is missing: list shows them");
  const result = await actOn(command, id, action, { actor, note: options.note ?? "" });
  if (result !== "done") return refuse(REFUSALS[result](id));
  const after = (await records.incidents.get(id))!;
  print(flags.json ? JSON.stringify(jsonOf(after)) : `${DONE[action.kind]} ${id}`);
}

function readAction(kind: string, options: Arguments["options"], now: number): Action {
  if ((options.note ?? "").length > MAX_CHARACTERS.note) {
    throw new TaskError(`--note must have at most ${MAX_CHARACTERS.note} characters`);
  }
  if (kind === "note" && options.note === undefined) throw new TaskError("note needs --note TEXT");
  if (kind !== "mute") return { kind } as Action;
  const until = readUntil(options.until, now);
  if (until === null) throw new TaskError("To unmute an incident, use unmute");
  return { kind, until };
}

const DONE: Readonly<Record<Action["kind"], string>> = {
  acknowledge: "Acknowledged",
  unacknowledge: "Withdrew the acknowledgement of",
  resolve: "Resolved",
  reopen: "Reopened",
  mute: "Muted",
  unmute: "Unmuted",
  note: "Added the note to",
};

const REFUSALS: Readonly<Record<Exclude<ActionResult, "done">, (id: string) => string>> = {
  missing: (id) => `There is no incident ${id}`,
  unwatched: (id) => `Docket no longer watches the schedule of ${id}: watch it again first`,
  impossible: (id) => `The state of ${id} does not allow this: list shows it`,
};

async function list(command: TaskCommand): Promise<void> {
  const { records, now } = command;
  const open = await records.incidents.allOpen();
  const facts = await records.overview.facts(open.map(({ scheduleId }) => scheduleId));
  const names = new Map([...facts].map(([id, { name }]) => [id, name]));
  const stateOf = ({ acknowledgedBy }: StoredIncident) =>
    acknowledgedBy === null ? "open" : `acknowledged by ${actorText(acknowledgedBy)}`;
  printList(command, {
    json: open.map(jsonOf),
    headings: ["ID", "SEVERITY", "OPENED", "STATE", "WHAT"],
    rows: open.map((each) => [
      each.id,
      each.severity,
      momentText(each.opened),
      `${stateOf(each)}${isMutedAt(each, now) ? ", muted" : ""}`,
      incidentTitle(each, names, "UTC"),
    ]),
    none: "No open incidents.",
  });
}

function jsonOf(incident: StoredIncident) {
  const { id, scheduleId, code, severity, acknowledgedBy, opened, mutedUntil, resolved } = incident;
  return {
    id,
    scheduleId,
    code,
    severity,
    since: isoOrNull(incident.reason.since),
    opened: isoOrNull(opened),
    acknowledgedBy,
    mutedUntil: isoOrNull(mutedUntil),
    resolved: isoOrNull(resolved),
  };
}

if (import.meta.main) await runAsProgram(incident);
