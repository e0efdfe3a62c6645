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
import type { Values } from "./options.ts";
import { createWalkingClient } from "./progress.ts";
import { loadStatuses, readStatusOption } from "./statuses.ts";
import { readId, readIds, readQuery, readZone } from "./values.ts";
import { VERSION } from "./version.ts";
import { jsonText } from "./writer.ts";

export function readEvidence(values: Values, positionals: readonly string[]): CommandLine {
  const { key: [key, ...more] = [], out, new: path, masked = false, json } = values;
  if (positionals[0] === "key") {
    if (path === undefined) throw new UsageError("evidence key needs --new FILE");
    return { run: (io) => makeKey(path, io) };
  }
  const question = readQuestion(values, positionals);
  const own = readStatusOption(values);
  if (out === undefined) throw new UsageError("evidence needs --out FILE");
  if (key === undefined || more.length > 0) {
    throw new UsageError("evidence signs with one --key FILE");
  }
  return {
    async run(io, connect) {
      await refuseExisting("--out", out, io);
      const privateKey = await readNamedFile("--key", key, io);
      if (await io.isReadByOthers(key)) {
        throw new UsageError(`${key} can be read by others: chmod 600 ${key}`);
      }
      // Checked before anything is sent.
      readKey(privateKey, "PRIVATE KEY");
      describeQuestion(question, io.now());
      const connection = await connect();
      const isOfRuns = "scheduleIds" in question;
      const statuses = isOfRuns ? await loadStatuses(own, connection, io) : undefined;
      const { client, progress } = createWalkingClient(connection, io);
      let state = { reading: 1, pages: 0, items: 0 };
      progress.start(() => state, () => `reading ${state.reading} of 2, `);
      let manifest!: EvidenceManifest;
      await interruptible(io, async (signal) => {
        const pack = makePack(client, question, {
          key: privateKey,
          service: String(connection.baseUrl),
          docket: VERSION,
          onProgress: (reading, { pages, items }) => void (state = { reading, pages, items }),
          ...{ masked, signal, now: io.now, ...(statuses && { statuses }) },
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
      return complete ? ExitCode.done : ExitCode.changed;
    },
  };
}

function readQuestion(values: Values, [subject, ...rest]: readonly string[]): EvidenceQuestion {
  const { on } = values;
  const zone = readZone(values);
  if (on !== undefined && subject !== "recipients") {
    throw new UsageError("only evidence recipients takes --on");
  }
  if (subject === "filesets") return { body: readQuery(values, rest) };
  if (subject === "history") return { scheduleIds: [readId("evidence history", rest)] };
  if (subject !== "recipients") {
    throw new UsageError("evidence needs one of filesets, history, recipients or key");
  }
  if (on === undefined || startOfDay(on, zone) === undefined) {
    throw new UsageError("evidence recipients needs --on DAY, such as 2026-09-30");
  }
  const scheduleIds = readIds(rest.join());
  if (scheduleIds.length === 0) throw new UsageError("evidence recipients needs ids of schedules");
  return { scheduleIds, on, zone };
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

export function readVerify(
  { key = [], json }: Values,
  [pack, ...more]: readonly string[],
): CommandLine {
  if (pack === undefined || more.length > 0) throw new UsageError("verify needs one pack");
  return {
    async run(io) {
      const keys = await Promise.all(key.map((path) => readNamedFile("--key", path, io)));
      const file = await io.openFile(pack).catch(fileFailure(`${pack} can't be read`));
      if (!file) throw new UsageError(`There is no file ${pack}`);
      const result = await verifyPack(file, keys).finally(() => file.close());
      await io.out.write(json ? jsonText(result) : inWords(pack, result));
      if (result.outcome === "no pack") return ExitCode.usage;
      return result.outcome === "intact" ? ExitCode.done : ExitCode.failed;
    },
  };
}

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
