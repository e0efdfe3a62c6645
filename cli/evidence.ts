import { startOfDay } from "../lib/days.ts";
import { generateKeyPair, readKey } from "../lib/evidence/keys.ts";
import {
  describeQuestion,
  type EvidenceManifest,
  type EvidenceQuestion,
} from "../lib/evidence/manifest.ts";
import { type Verification, verifyPack } from "../lib/evidence/verify_pack.ts";
import { makePack } from "../lib/evidence/write_pack.ts";
import { formatCountOf } from "../lib/format.ts";
import { createClient } from "../lib/mod.ts";
import { terminalText } from "../lib/terminal.ts";
import {
  type Command,
  command,
  ExitCode,
  flag,
  type Invocation,
  needed,
  text,
  UsageError,
} from "./command.ts";
import { fileFailure, readNamedFile } from "./files.ts";
import type { Io } from "./io.ts";
import { createProgress, describeWalk, interruptible } from "./progress.ts";
import { loadMeanings, STATUSES } from "./statuses.ts";
import { QUERY_ZONE, readId, readIds, readQuery } from "./values.ts";
import { VERSION } from "./version.ts";
import { jsonText } from "./writer.ts";

const SIGNING = {
  out: needed(text("FILE", "where to write the pack")),
  key: needed(text("FILE", "sign with this private key")),
};
const OF_RUNS = {
  ...SIGNING,
  masked: flag("mask the addresses of recipients"),
  statuses: STATUSES,
};

const READ_TWICE = `
The list is read twice, and the pack says whether it is complete. It is a ZIP
that sha256sum and openssl verify: docs/evidence.md. Exits with 3 if the pack is
incomplete.
`;

export const evidence: Readonly<Record<string, Command>> = {
  "evidence filesets": command({
    arguments: "[QUERY]",
    use: "make a signed pack of the file sets that match",
    takesQuery: true,
    options: { ...SIGNING, zone: QUERY_ZONE },
    notes: READ_TWICE,
    run: (call) => pack(call, { body: readQuery(call.words, call.values.zone) }),
  }),
  "evidence history": command({
    arguments: "ID",
    use: "make a signed pack of a schedule's runs",
    options: OF_RUNS,
    notes: READ_TWICE,
    run: (call) => pack(call, { scheduleIds: [readId(call.words)] }),
  }),
  "evidence recipients": command({
    arguments: "IDS…",
    use: "make a signed pack of who was on the lists of schedules on a day",
    options: { on: needed(text("DAY", "such as 2026-09-30")), ...OF_RUNS, zone: QUERY_ZONE },
    notes: READ_TWICE,
    run(call) {
      const { on, zone = "UTC" } = call.values;
      if (startOfDay(on, zone) === undefined) {
        throw new UsageError("--on must be a day such as 2026-09-30");
      }
      return pack(call, { scheduleIds: readIds(call.words), on, zone });
    },
  }),
  "evidence key": command({
    arguments: "",
    use: "make a key to sign with: FILE, and FILE.pub for others",
    options: { new: needed(text("FILE", "where to write it")) },
    run: ({ values, io }) => makeKey(values.new, io),
  }),
};

async function pack(
  { values, io, connect }: Invocation<typeof SIGNING & Partial<typeof OF_RUNS>>,
  question: EvidenceQuestion,
): Promise<number> {
  const { out, key, masked = false, json } = values;
  await refuseExisting("--out", out, io);
  const privateKey = await readNamedFile("--key", key, io);
  // Checked before anything is sent.
  readKey(privateKey, "PRIVATE KEY");
  describeQuestion(question, io.now());
  const options = connect();
  const meanings = "scheduleIds" in question
    ? await loadMeanings(values.statuses, options, io)
    : undefined;
  const progress = createProgress(io);
  let state = "";
  progress.start(() => state);
  let manifest!: EvidenceManifest;
  await interruptible(io, async (signal) => {
    const pack = makePack(createClient(options), question, {
      key: privateKey,
      service: String(options.baseUrl),
      docket: VERSION,
      onProgress: (reading, report) =>
        void (state = `reading ${reading} of 2, ${describeWalk(report)}`),
      ...{ masked, signal, now: io.now, ...meanings },
    });
    const bytes = async function* () {
      manifest = yield* pack;
    };
    await io.writeFile(out, bytes()).catch(fileFailure(`--out: ${out} can't be written`));
  }).finally(() => progress.stop());
  const { complete, incomplete, readings } = manifest;
  const rows = readings.reduce((sum, { reading, rows }) => sum + (reading === 1 ? rows : 0), 0);
  const said = `${complete ? "complete" : "incomplete"}, ${formatCountOf(rows, "row", "rows")}`;
  const lines = [`${out}: ${said} read twice`, ...incomplete.map((gap) => `  ${gap}`)];
  if (json) await io.out.write(jsonText({ pack: out, complete, incomplete }));
  else await io.err.write(`${lines.join("\n")}\n`);
  return complete ? ExitCode.done : ExitCode.incomplete;
}

async function makeKey(path: string, io: Io): Promise<number> {
  for (const file of [path, `${path}.pub`]) await refuseExisting("--new", file, io);
  const { privateKey, publicKey } = generateKeyPair();
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

export const verify = command({
  arguments: "PACK",
  use: "verify a pack; exit with 1 if it is not intact, 2 if it is none",
  options: {
    key: { ...text("FILE", "trust this public key; repeatable"), multiple: true },
  },
  notes: `
Offline, as sha256sum and openssl do. Exits with 0 if it is intact and signed by
a key that you trust, even if it is incomplete, as the last line then says.
`,
  async run({ values: { key = [], json }, words: [pack], io }) {
    const keys = await Promise.all(key.map((path) => readNamedFile("--key", path, io)));
    const file = await io.openFile(pack).catch(fileFailure(`${pack} can't be read`));
    if (!file) throw new UsageError(`There is no file ${pack}`);
    const result = await verifyPack(file, keys).finally(() => file.close());
    await io.out.write(json ? jsonText(result) : inWords(pack, result));
    if (result.outcome === "no pack") return ExitCode.usage;
    return result.outcome === "intact" ? ExitCode.done : ExitCode.failed;
  },
});

/** The result in lines; those that quote the pack begin with a bar, so that none is `complete`. */
function inWords(pack: string, { outcome, why, complete, manifest }: Verification): string {
  const first = `${terminalText(`${pack}: ${outcome}. ${why}`)}\n`;
  if (!manifest) return first;
  const { asked, service, by, made, docket, incomplete, proves } = manifest;
  const who = by ? ` for ${by.name}` : "";
  const origin = `From ${service}, made ${made} with Docket ${docket}${who}`;
  const quoted = [asked.words, origin, proves, ...incomplete].map((text) =>
    terminalText(text).replace(/(.{1,76})(?: +|$)|(.{76})/gu, "| $1$2\n")
  );
  return first + quoted.join("") + (complete ? "complete\n" : "incomplete\n");
}
