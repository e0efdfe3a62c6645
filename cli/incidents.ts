/** What needs somebody, and what people do about it. */
import { formatWhen } from "../lib/moments.ts";
import { terminalText } from "../lib/terminal.ts";
import {
  type Command,
  command,
  ExitCode,
  flag,
  type Invocation,
  type Options,
  text,
} from "./command.ts";
import { recordsAt } from "./records.ts";
import { readUntil, UNTIL } from "./values.ts";
import { chosenFormat, FORMAT, wrapped, writeRows } from "./writer.ts";

interface Incident {
  readonly id: string;
  readonly severity: string;
  readonly state: string;
  readonly opened: string;
  readonly sentence: string;
}

const NOTE = { note: text("TEXT", "a note for the incident's timeline") };
const COLUMNS = ["id", "severity", "state", "opened", "sentence"];

const ACT = `
Exits with 1 if there is no such incident, or its state does not allow this.
`;

export const incidents: Readonly<Record<string, Command>> = {
  "incident list": command({
    arguments: "",
    use: "list open incidents; exit with 1 if there are any",
    options: {
      format: FORMAT,
      all: flag("list resolved ones too"),
    },
    notes: `
Writes every page. JSON has all fields, such as url and mutedUntil.

Example:
  docket incident list --json | jq -r '.[].url'
`,
    async run({ values, io, connect }) {
      const format = chosenFormat(values);
      const records = recordsAt(connect());
      const state = values.all ? "all" : "open";
      const rows: Incident[] = [];
      for await (const row of records.list<Incident>("incidents", { state })) rows.push(row);
      if (format === "table") {
        await io.out.write(rows.map((row) => describe(row, io.now())).join(""));
      } else await writeRows(rows, { format, columns: COLUMNS }, io);
      if (rows.length === 0 && format === "table") await io.err.write("No open incidents\n");
      return rows.some(({ state }) => state !== "resolved") ? ExitCode.failed : ExitCode.done;
    },
  }),
  "incident acknowledge": act("acknowledged", "say that somebody looks into it"),
  "incident resolve": act("resolved", "say that it is over, though its reason may go on"),
  "incident mute": command({
    arguments: "ID",
    use: "send nothing about it for some time",
    options: { until: UNTIL, ...NOTE },
    notes: ACT,
    run: (call) =>
      send(call, { kind: "muted", until: readUntil(call.values.until, call.io.now()) }),
  }),
};

function act(kind: string, use: string): Command {
  return command({
    arguments: "ID",
    use,
    options: NOTE,
    notes: ACT,
    run: (call) => send(call, { kind }),
  });
}

async function send<Of extends Options>(
  { values, words: [id], io, connect }: Invocation<Of & typeof NOTE>,
  event: { readonly kind: string; readonly until?: string },
): Promise<number> {
  const { note, json } = values as { readonly note?: string; readonly json?: true };
  const records = recordsAt(connect());
  const incident = await records.call<Incident>(
    "POST",
    `incidents/${encodeURIComponent(id)}/events`,
    { body: { ...event, ...note !== undefined && { note } } },
  );
  await io.out.write(
    json ? `${JSON.stringify(incident)}\n` : `${event.kind}: ${incident.sentence}\n`,
  );
  return ExitCode.done;
}

/** An incident in lines of at most 80 columns; its id is never cut. */
function describe({ id, severity, state, opened, sentence }: Incident, now: number): string {
  const moment = formatWhen(Date.parse(opened), now, "UTC");
  const text = wrapped(`  ${terminalText(sentence)}`, 2);
  return `${id}\n  ${severity}, ${state}, opened ${moment} UTC\n${text}\n`;
}
