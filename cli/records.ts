/** Docket's own records, by its API: `/api/docket/v1`. */
import { parseJson } from "../lib/client/decode.ts";
import { normalizeBaseUrl } from "../lib/client/transport/request.ts";
import { resolveOptions } from "../lib/client/transport/settings.ts";
import { send } from "../lib/client/transport/transport.ts";
import { formatCount, formatCountOf } from "../lib/format.ts";
import { type ClientOptions, isDocketError } from "../lib/mod.ts";
import { type Command, command, ExitCode, type Invocation, type Options } from "./command.ts";
import { printError } from "./error_message.ts";
import type { Io } from "./io.ts";
import { interruptible } from "./progress.ts";
import { readIds } from "./values.ts";
import { chosenFormat, type FORMAT, jsonText, writeRows } from "./writer.ts";

const MAX_PAGE = 1000;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Sending {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** A file that is sent instead. */
  readonly csv?: string;
  readonly signal?: AbortSignal;
}

export function recordsAt(options: ClientOptions) {
  async function call<Answer>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    { query = {}, body, csv, signal }: Sending = {},
  ): Promise<Answer> {
    const url = new URL(`${normalizeBaseUrl(options.baseUrl)}/api/docket/v1/${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const type = csv === undefined ? "application/json" : "text/csv";
    const text = csv ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = {
      operation: "use Docket's records",
      ...{ method, url: url.href },
      headers: { accept: "application/json", ...text !== undefined && { "content-type": type } },
      ...text !== undefined && { body: text },
    };
    const read = (answer: string) => (answer === "" ? null : parseJson(answer)) as Answer;
    // What is done twice may not be the same as done once.
    const attempts = method === "POST" ? 1 : options.attempts;
    const settings = resolveOptions({ ...options, attempts });
    return (await send(request, read, settings, { signal })).data;
  }

  return {
    call,
    async *list<Item>(path: string, query: Query = {}): AsyncGenerator<Item> {
      for (let offset = 0;;) {
        const page = await call<{ readonly items: readonly Item[]; readonly total: number }>(
          "GET",
          path,
          { query: { ...query, limit: MAX_PAGE, offset } },
        );
        yield* page.items;
        offset += page.items.length;
        if (page.items.length === 0 || offset >= page.total) return;
      }
    },
  };
}

/** How many schedules were added, changed, and already as they should be. */
export interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly known: number;
  readonly notWatched?: string | null;
}

export async function printCounts(
  counts: Counts,
  { json }: Invocation["values"],
  io: Io,
): Promise<number> {
  const { added, changed, known, notWatched } = counts;
  const said = `${formatCountOf(added, "schedule", "schedules")} added, ${formatCount(changed)} ` +
    `changed, ${formatCount(known)} unchanged\n`;
  await io.out.write(json ? jsonText(counts) : said);
  if (notWatched) await io.err.write(`Nothing is watched yet. ${notWatched}\n`);
  return notWatched ? ExitCode.incomplete : ExitCode.done;
}

/** Writes all items of a list of records as they come, and how complete the known schedules are. */
export async function listRecords<Item extends object>(
  { values, io, connect }: Invocation<{ readonly format: typeof FORMAT }>,
  path: string,
  { columns, table, none, toRow = (item) => item }: {
    readonly columns: readonly string[];
    readonly table: readonly string[];
    readonly none: string;
    /** The cells of an item; JSON has the item itself. */
    readonly toRow?: (item: Item) => object;
  },
): Promise<number> {
  const format = chosenFormat(values);
  const isTable = format === "table";
  const isCells = isTable || format === "csv";
  let rows = 0;
  const { list, call } = recordsAt(connect());
  const shapes = async function* () {
    for await (const item of list<Item>(path)) {
      rows++;
      yield isCells ? toRow(item) : item;
    }
  };
  await writeRows(shapes(), { format, columns: isTable ? table : columns }, io);
  if (rows === 0) await io.err.write(`${none}\n`);
  const { sentence } = await call<{ readonly sentence: string }>("GET", "schedules/scans");
  await io.err.write(`${sentence}\n`);
  return ExitCode.done;
}

/** A command that changes each of some schedules; if one can't be, it says so and does the others. */
export function changeEach<const Of extends Options>({ change, ...described }: {
  readonly use: string;
  readonly options: Of;
  readonly notes?: string;
  /** What is sent for each, below its path, and what is then said of it. */
  readonly change: (call: Invocation<Of>) => {
    readonly method: "DELETE" | "PATCH";
    readonly path: "schedules" | "watches";
    readonly body?: unknown;
    readonly done: string;
  };
}): Command {
  return command({
    ...described,
    arguments: "IDS…",
    async run(invocation: Invocation<Of>) {
      const { words, io, connect } = invocation;
      const { json } = invocation.values as Invocation["values"];
      const ids = readIds(words);
      const { method, path, body, done } = change(invocation);
      const connection = connect();
      const { call } = recordsAt(connection);
      const changed: number[] = [];
      let code: number = ExitCode.done;
      await interruptible(io, async (signal) => {
        for (const id of ids) {
          if (signal.aborted) {
            code = ExitCode.interrupted;
            break;
          }
          try {
            await call(method, `${path}/${id}`, { body });
            changed.push(id);
            if (!json) await io.out.write(`Schedule ${id} ${done}\n`);
          } catch (error) {
            const isOfOne = isDocketError(error) && error.kind === "http" && error.problem &&
              [404, 409].includes(error.status);
            if (!isOfOne) throw error;
            code = await printError(error, io, { connection });
          }
        }
      });
      if (json) await io.out.write(jsonText(changed));
      return code;
    },
  });
}
