/** Makes packs of evidence and their keys, and verifies packs. */
import { type ClientOptions, createClient, createLimiter } from "../lib/mod.ts";
import { generateKeyPair, makePack, type Verification, verifyPack } from "../lib/evidence/mod.ts";
import { formatCountOf } from "../lib/format.ts";
import { terminalText } from "../lib/terminal.ts";
import { type EvidenceCommand, UsageError, type VerifyCommand } from "./command.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { VERSION } from "./version.ts";

const PREFETCH = 4;

/** Makes a pack. The exit code is `changed` if it is incomplete. */
export async function makeEvidence(
  command: Extract<EvidenceCommand, { readonly question: unknown }>,
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const { question, out, key } = command;
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  const progress = createProgress(io);
  const client = createClient({
    ...options,
    limiter: createLimiter({ mostInFlight: PREFETCH }),
    onRetry: (retry) => {
      options.onRetry?.(retry);
      progress.onRetry(retry);
    },
  });
  let now = { reading: 1, readings: 1, pages: 0, items: 0 };
  const pack = makePack(client, question, {
    service: String(options.baseUrl),
    docket: VERSION,
    prefetch: PREFETCH,
    signal: interrupt.signal,
    now: io.now,
    ...(key !== undefined && { key: await readKey(key, io, true) }),
    onProgress: ({ reading, readings, rows }) => {
      now = { reading, readings, pages: now.pages + 1, items: now.items + rows };
    },
  });
  progress.start(() => now, () => `reading ${now.reading} of ${now.readings}, `);
  try {
    await io.writeStream(out, pack.stream).catch(refused(`--out: ${out} can't be written`));
  } catch (error) {
    // Several schedules are read: one may not be there.
    const { request } = error as { readonly request?: string };
    if (request && question.kind === "recipients") await io.err.write(`${request}\n`);
    throw error;
  } finally {
    release();
    await progress.stop();
  }
  const { complete, incomplete, readings, asked } = (await pack.manifest)!;
  if (command.json) {
    await io.out.write(JSON.stringify({ pack: out, complete, incomplete }, null, 2) + "\n");
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

/** Makes a pair of keys, and never replaces one. */
export async function makeKey(path: string, io: Io): Promise<number> {
  for (const file of [path, `${path}.pub`]) {
    if (await io.readFile(file) !== undefined) throw new UsageError(`--new: ${file} exists`);
  }
  const { privateKey, publicKey } = await generateKeyPair();
  const fail = refused(`--new: ${path} can't be written`);
  await io.writeFile(path, privateKey, 0o600).catch(fail);
  await io.writeFile(`${path}.pub`, publicKey).catch(fail);
  await io.err.write(`Keep ${path} to yourself; give ${path}.pub to whoever verifies\n`);
  return ExitCode.done;
}

/** Verifies a pack. The exit code is `failed` if it does not hold, and `usage` if it is no pack. */
export async function verify({ pack, keys, json }: VerifyCommand, io: Io): Promise<number> {
  const trusted = await Promise.all(keys.map((key) => readKey(key, io, false)));
  const file = await io.openFile(pack).catch(refused(`${pack} can't be read`));
  if (!file) throw new UsageError(`There is no file ${pack}`);
  try {
    const verified = await verifyPack(file, trusted, io.now());
    const { manifest: _, ...rest } = verified;
    await io.out.write(json ? JSON.stringify(rest, null, 2) + "\n" : wordsOf(pack, verified));
    if (verified.outcome === "not a pack") return ExitCode.usage;
    return verified.outcome === "holds" ? ExitCode.done : ExitCode.failed;
  } finally {
    await file.close();
  }
}

const OUTCOMES: Readonly<Record<Verification["outcome"], string>> = {
  "holds": "Everything holds.",
  "unknown key": "It is intact, but not by a key that you trust.",
  "does not hold": "It does not hold.",
  "not a pack": "It is not a pack of evidence.",
};

function wordsOf(pack: string, { outcome, complete, findings, manifest }: Verification): string {
  const lines = findings.map(({ holds, text }) => wrapped(`${holds ? "ok  " : "NO  "}${text}`, 4));
  if (manifest && outcome !== "does not hold") {
    const { asked, service, by, made, docket, proves, doesNotProve } = manifest;
    const who = by ? `, asked by ${by.name} (${by.known})` : "";
    lines.unshift(
      wrapped(`${pack}: ${asked.words}`, 2),
      wrapped(`  from ${service}, made ${made} with Docket ${docket}${who}`, 2),
      "",
    );
    if (outcome === "holds") lines.push("", wrapped(proves, 0), wrapped(doesNotProve, 0));
  }
  const end = ["", OUTCOMES[outcome], ...(complete ? ["complete"] : [])];
  return [...lines, ...end].join("\n") + "\n";
}

/** A text that may be forged, in lines of at most 80 columns where its words allow. */
function wrapped(text: string, indent: number): string {
  return terminalText(text).replace(/(?=.{80})(.{1,76}) +/g, `$1\n${" ".repeat(indent)}`);
}

/** Turns a file error into one about the arguments. */
function refused(what: string): (error: { readonly code?: unknown }) => never {
  return (error) => {
    if (typeof error.code !== "string") throw error;
    throw new UsageError(`${what} (${error.code === "EISDIR" ? "a folder" : error.code})`);
  };
}

async function readKey(path: string, io: Io, isPrivate: boolean): Promise<string> {
  const text = await io.readFile(path).catch(refused(`--key: ${path} can't be read`));
  if (text === undefined) throw new UsageError(`--key: there is no file ${path}`);
  if (isPrivate && await io.isReadByOthers(path)) {
    throw new UsageError(`${path} can be read by others: chmod 600 ${path}`);
  }
  return text;
}
