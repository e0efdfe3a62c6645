/** `deno task evidence-key`: lists, exports and retires the keys that sign evidence packs. */
import { recordsKeys } from "../../config/data_folder.ts";
import { createSealing } from "../../auth/sealing.ts";
import {
  currentEvidenceKey,
  publicEvidenceKeys,
  retireEvidenceKey,
} from "../../backend/evidence_keys.ts";
import { runAsProgram } from "../../store/tasks/task.ts";
import { isoText } from "../event.ts";
import { refuse, type TaskCommand, taskOf } from "./task_records.ts";

const HELP = `Lists, exports and retires the keys that sign evidence packs.

deno task evidence-key list      prints every public key
deno task evidence-key export    prints the private key, for docket evidence --key
deno task evidence-key retire    replaces the key; inform auditors of the day

Anybody with a key, even a retired one, can sign with any date: see docs/evidence.md.

Exit code 0: done; 1: the key or the database can't be used; 2: an argument or a setting is wrong.`;

export const evidenceKey = taskOf(HELP, [], {
  list: { rest: 0, run: list },
  export: {
    rest: 0,
    async run({ records, settings, now, print }) {
      const sealing = createSealing(recordsKeys(settings));
      print((await currentEvidenceKey(records, sealing, now)).privateKey.trimEnd());
    },
  },
  retire: {
    rest: 0,
    async run(command) {
      const { records, settings, now } = command;
      const isRetired = await retireEvidenceKey(
        records,
        createSealing(recordsKeys(settings)),
        now,
      );
      if (!isRetired) refuse("Somebody else just retired the key");
      await list(command);
    },
  },
});

async function list({ records, print, report }: TaskCommand): Promise<void> {
  const keys = await publicEvidenceKeys(records);
  if (keys.length === 0) report("There is no key yet: the first pack creates it.");
  for (const { publicKey, made, retired } of keys) {
    const end = retired === undefined ? "" : `, retired ${isoText(retired)}`;
    print(`Created ${isoText(made)}${end}\n${publicKey.trimEnd()}`);
  }
}

if (import.meta.main) await runAsProgram(evidenceKey);
