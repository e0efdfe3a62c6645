import type { ClientOptions, StatusDictionary } from "../lib/mod.ts";
import {
  type EvidenceQuestion,
  generateKeyPair,
  makePack,
  type Verification,
  verifyPack,
} from "../lib/evidence/mod.ts";
import { resolveQuestion } from "../lib/evidence/question.ts";
import { startOfDay } from "../lib/days.ts";
import { formatCountOf, timeText } from "../lib/format.ts";
import { terminalText } from "../lib/terminal.ts";
import {
  type CommandLine,
  ExitCode,
  fileFailure,
  interruptible,
  readNamedFile,
  UsageError,
} from "./command.ts";
import type { Io } from "./io.ts";
import { readSearch } from "./list_request.ts";
import type { Values } from "./options.ts";
import { loadStatuses, readStatusOption } from "./statuses.ts";
import { createWalkingClient } from "./progress.ts";
import { wrapped } from "./table.ts";
import { readId, readIds, readZone } from "./values.ts";
import { VERSION } from "./version.ts";
import { jsonText } from "./writer.ts";

export function readEvidence(values: Values, positionals: readonly string[]): CommandLine {
  const { key = [], out, json = false } = values;
  if (positionals[0] === "key") {
    const path = values.new;
    if (path === undefined) throw new UsageError("evidence key needs --new FILE");
    return { run: (io) => makeKey(path, io) };
  }
  const question = readQuestion(values, positionals);
  const own = readStatusOption(values);
  if (own && question.kind === "search") {
    throw new UsageError("evidence filesets takes no --statuses");
  }
  if (out === undefined) throw new UsageError("evidence needs --out FILE");
  if (key.length > 1) throw new UsageError("evidence signs with one --key");
  return {
    async run(io, connect) {
      await refuseExisting("--out", out, io);
      const signing = key[0] && await readKey(key[0], io, true);
      const connection = await connect();
      // Before anything is sent.
      resolveQuestion(question, io.now());
      const statuses = question.kind === "search"
        ? undefined
        : await loadStatuses(own, connection, io);
      return await makeEvidence({ question, out, json, key: signing, statuses }, connection, io);
    },
  };
}

async function makeEvidence(
  { question, out, json, key, statuses }: {
    readonly question: EvidenceQuestion;
    readonly out: string;
    readonly json: boolean;
    readonly key: string | undefined;
    readonly statuses: StatusDictionary | undefined;
  },
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const { client, progress } = createWalkingClient(options, io);
  let state = { reading: 1, readings: 1, pages: 0, items: 0 };
  progress.start(() => state, () => `reading ${state.reading} of ${state.readings}, `);
  const manifest = await interruptible(io, async (signal) => {
    const pack = makePack(client, question, {
      service: String(options.baseUrl),
      docket: VERSION,
      signal,
      now: io.now,
      key,
      ...statuses && { statuses },
      onProgress: ({ reading, readings, rows }) => {
        state = { reading, readings, pages: state.pages + 1, items: state.items + rows };
      },
    });
    await io.writeFile(out, pack.stream).catch(fileFailure(`--out: ${out} can't be written`));
    return (await pack.manifest)!;
  }).catch(async (error) => {
    // Shows which of several schedules could not be read.
    if (error.request && question.kind === "recipients") await io.err.write(`${error.request}\n`);
    throw error;
  }).finally(() => progress.stop());
  const { complete, incomplete, readings, asked } = manifest;
  if (json) {
    await io.out.write(jsonText({ pack: out, complete, incomplete }));
    return complete ? ExitCode.done : ExitCode.changed;
  }
  const rows = readings.filter(({ list }) => !asked.body || list === 0)
    .reduce((sum, { round, size }) => sum + (round === 1 ? size : 0), 0);
  const lists = formatCountOf(readings.length / 2, "list", "lists");
  await io.err.write(
    `${out}: ${formatCountOf(rows, "row", "rows")}, ${lists} read twice, ` +
      `${complete ? "complete" : "incomplete"}\n` + incomplete.map((gap) => `  ${gap}\n`).join("") +
      (key === undefined ? "  It is not signed: --key FILE signs it\n" : ""),
  );
  return complete ? ExitCode.done : ExitCode.changed;
}

async function makeKey(path: string, io: Io): Promise<number> {
  for (const file of [path, `${path}.pub`]) await refuseExisting("--new", file, io);
  const { privateKey, publicKey } = await generateKeyPair();
  const fail = fileFailure(`--new: ${path} can't be written`);
  await io.writeFile(path, privateKey, 0o600).catch(fail);
  await io.writeFile(`${path}.pub`, publicKey).catch(fail);
  await io.err.write(`Keep ${path} to yourself; give ${path}.pub to whoever verifies\n`);
  return ExitCode.done;
}

/** Throws if a file exists: neither a pack nor a key may replace one. */
async function refuseExisting(option: string, path: string, io: Io): Promise<void> {
  const file = await io.openFile(path).catch(fileFailure(`${option}: ${path} can't be written`));
  if (!file) return;
  await file.close();
  throw new UsageError(`${option}: ${path} exists: name another file, or remove it`);
}

/** Verifies a pack; exits with `failed` if it does not hold, and `usage` if it is not a pack. */
export function readVerify(
  { key = [], json }: Values,
  positionals: readonly string[],
): CommandLine {
  if (positionals.length !== 1) throw new UsageError("verify needs one pack");
  const [pack] = positionals;
  return {
    async run(io) {
      const trusted = await Promise.all(key.map((path) => readKey(path, io, false)));
      const file = await io.openFile(pack).catch(fileFailure(`${pack} can't be read`));
      if (!file) throw new UsageError(`There is no file ${pack}`);
      try {
        const verified = await verifyPack(file, trusted, io.now());
        const { manifest: _, ...rest } = verified;
        await io.out.write(json ? jsonText(rest) : wordsOf(pack, verified));
        if (verified.outcome === "not a pack") return ExitCode.usage;
        return verified.outcome === "holds" ? ExitCode.done : ExitCode.failed;
      } finally {
        await file.close();
      }
    },
  };
}

async function readKey(path: string, io: Io, isPrivate: boolean): Promise<string> {
  const text = await readNamedFile("--key", path, io);
  if (isPrivate && await io.isReadByOthers(path)) {
    throw new UsageError(`${path} can be read by others: chmod 600 ${path}`);
  }
  return text;
}

const OUTCOMES: Readonly<Record<Verification["outcome"], string>> = {
  "holds": "Everything holds.",
  "unknown key": "It is intact, but not signed by a key that you trust.",
  "does not hold": "It does not hold.",
  "not a pack": "It is not a pack of evidence.",
};

function wordsOf(pack: string, { outcome, complete, findings, manifest }: Verification): string {
  // A forged pack may contain any text.
  const inLines = (text: string, indent: number) => wrapped(terminalText(text), indent);
  const lines = findings.map(({ holds, text }) => `${holds ? "ok  " : "NO  "}${inLines(text, 4)}`);
  if (manifest && outcome !== "does not hold") {
    const { asked, service, by, made, docket, proves, doesNotProve } = manifest;
    const who = by ? `, asked by ${by.name} (${by.known})` : "";
    lines.unshift(
      inLines(`${pack}: ${asked.words}`, 2),
      `  ${inLines(`from ${service}, made ${made} with Docket ${docket}${who}`, 2)}`,
      "",
    );
    if (outcome === "holds") lines.push("", inLines(proves, 0), inLines(doesNotProve, 0));
  }
  const end = ["", OUTCOMES[outcome], ...(complete ? ["complete"] : [])];
  return [...lines, ...end].join("\n") + "\n";
}

function readQuestion(
  values: Values,
  [subject, ...rest]: readonly string[],
): EvidenceQuestion {
  const { since, on } = values;
  const zone = readZone(values);
  for (const [option, taker] of [["since", "history"], ["on", "recipients"]] as const) {
    if (values[option] !== undefined && subject !== taker) {
      throw new UsageError(`evidence ${subject} takes no --${option}`);
    }
  }
  switch (subject) {
    case "filesets":
      return { kind: "search", body: readSearch(values, rest) };
    case "history":
      return {
        kind: "history",
        scheduleId: readId("evidence history", rest),
        since: since && readMoment(since, zone),
      };
    case "recipients":
      if (on === undefined || startOfDay(on, zone) === undefined) {
        throw new UsageError("evidence recipients needs --on DAY, such as 2026-09-30");
      }
      if (rest.length === 0) throw new UsageError("evidence recipients needs ids of schedules");
      return { kind: "recipients", scheduleIds: readIds(rest.join()), on, zone };
    default:
      throw new UsageError("evidence needs one of filesets, history, recipients or key");
  }
}

function readMoment(text: string, zone: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isTime ? Date.parse(text) : startOfDay(text, zone) ?? NaN;
  if (!Number.isNaN(time)) return timeText(time);
  throw new UsageError("--since must be a day, such as 2026-07-01, or a date-time with a zone");
}
