import { assertEquals } from "@std/assert";
import { createSealing } from "../../../server/auth/sealing.ts";
import { loadEvidenceKey } from "../../../server/backend/evidence_keys.ts";
import { checkKeys } from "../../../server/observer/records_keys.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { observerRecordsOn } from "../../../server/store/records/observer_records.ts";
import { ADA } from "../../actors.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";
import { SLACK } from "./world.ts";

const [OLD, NEW] = ["old-key-".repeat(4), "new-key-".repeat(4)];

Deno.test("checkKeys: after both keys, the new one alone opens all", () =>
  withSqlite(async (database) => {
    const records = observerRecordsOn(database);
    const settings = { observer: { mailServer: null, webhookHosts: [] } };
    for (const [name, key] of [["Finance", OLD], ["Claims", NEW], ["Lost", "x".repeat(32)]]) {
      const services = { records, settings, sealing: createSealing([key]) };
      await saveOwner(services, { name, channels: { slack: SLACK + name } }, {
        actor: ADA,
        now: 1,
      });
    }
    const key = await (await loadEvidenceKey(records, createSealing([OLD]))).unseal();
    const logged: unknown[] = [];
    const note = (...line: unknown[]) => void logged.push(line);
    const log = { info: note, warn: note };
    for (const keys of [[NEW], [NEW, OLD], [NEW, OLD], [NEW]]) {
      await checkKeys(records, keys, createSealing(keys), log);
    }
    assertEquals(logged, [["Resealed secrets with the first RECORDS_KEY", { secrets: 2 }]]);
    const sealing = createSealing([NEW]);
    assertEquals(await (await loadEvidenceKey(records, sealing)).unseal(), key);
    const secrets = await Promise.all(
      (await records.owners.sealedChannels()).map(({ sealed }) => sealing.open(sealed)),
    );
    assertEquals(secrets.sort(), [`${SLACK}Claims`, `${SLACK}Finance`, undefined]);
  }));
