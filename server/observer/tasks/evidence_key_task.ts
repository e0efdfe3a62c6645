/** `deno task evidence-key`: lists, exports and retires the keys that packs are signed with. */
import { recordsKeys } from "../../auth/records_key.ts";
import { createSealing } from "../../auth/sealing.ts";
import {
  currentEvidenceKey,
  publicEvidenceKeys,
  retireEvidenceKey,
} from "../../backend/evidence_keys.ts";
import { runAsProgram, type Task, TaskError } from "../../store/tasks/task.ts";
import { isoText } from "../event.ts";
import { withRecords } from "./task_records.ts";

const HELP = `Lists, exports and retires the keys that packs of evidence are signed with.

deno task evidence-key list      prints every public key
deno task evidence-key export    prints the private key, for docket evidence --key
deno task evidence-key retire    replaces the key; tell auditors the day

Whoever has a key, even a retired one, can sign with any date: see docs/evidence.md.

Exit code 0: done; 1: the key or the database can't be used; 2: something in the arguments or settings
is wrong.`;

/** Lists, exports and retires the keys of packs. */
export const evidenceKey: Task = {
  help: HELP,
  rest: 1,
  run({ rest: [action = ""] }, context) {
    if (!/^(list|export|retire)$/.test(action)) {
      throw new TaskError("Use list, export or retire; see --help");
    }
    return withRecords(context, async ({ records, settings }) => {
      const sealing = createSealing(recordsKeys(settings));
      const now = context.now().getTime();
      if (action === "export") {
        context.print((await currentEvidenceKey(records, sealing, now)).privateKey.trimEnd());
        return 0;
      }
      if (action === "retire" && !await retireEvidenceKey(records, sealing, now)) {
        context.report("Somebody else just retired the key");
        return 1;
      }
      const keys = await publicEvidenceKeys(records);
      if (keys.length === 0) context.report("There is no key yet: the first pack makes it.");
      for (const { publicKey, made, retired } of keys) {
        const end = retired === undefined ? "" : `, retired ${isoText(retired)}`;
        context.print(`Made ${isoText(made)}${end}\n${publicKey.trimEnd()}`);
      }
      return 0;
    });
  },
};

if (import.meta.main) await runAsProgram(evidenceKey);
