import { assertEquals } from "@std/assert";
import { createSealing } from "../../../server/auth/sealing.ts";
import { loadEvidenceKey } from "../../../server/backend/evidence_keys.ts";
import { resealSecrets } from "../../../server/observer/reseal_secrets.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { ADA } from "../../actors.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";
import { SLACK } from "./world.ts";

const [OLD, NEW] = ["old-key-".repeat(4), "new-key-".repeat(4)];

Deno.test("resealSecrets: after both keys, the new one alone opens all", () =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const settings = { observer: { mailServer: null, webhookHosts: [] } };
    const save = (name: string, key: string) => {
      const services = { records, settings, sealing: createSealing([key]) };
      const owner = { name, channels: { slack: SLACK + name } };
      return saveOwner(services, owner, { actor: ADA, now: 1 });
    };
    await save("Finance", OLD);
    await save("Claims", NEW);
    await save("Lost", "lost-key".repeat(4));
    const key = await (await loadEvidenceKey(records, createSealing([OLD]))).unseal();
    const logged: unknown[] = [];
    const start = (keys: string[]) =>
      resealSecrets(records, createSealing(keys), { info: (...line) => void logged.push(line) });
    await start([NEW]);
    assertEquals(logged, []);
    for (const keys of [[NEW, OLD], [NEW, OLD], [NEW]]) await start(keys);
    assertEquals(logged, [["Resealed secrets with the first RECORDS_KEY", { secrets: 2 }]]);
    const sealing = createSealing([NEW]);
    assertEquals(await (await loadEvidenceKey(records, sealing)).unseal(), key);
    const secrets = await Promise.all(
      (await records.owners.sealedChannels()).map(({ sealed }) => sealing.open(sealed)),
    );
    assertEquals(secrets.sort(), [`${SLACK}Claims`, `${SLACK}Finance`, undefined]);
  }));
