import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  DataFolderError,
  makeDataFolder,
  recordsKeys,
  storedSecret,
} from "../../../server/config/data_folder.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { outputOfCommand } from "../../processes.ts";
import { withFolder } from "../../with_folder.ts";

const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;
const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("storedSecret: is made once and stored, for its owner's eyes only", () =>
  withFolder((folder) => {
    const secret = storedSecret(folder, "key");
    assertMatch(secret, /^[0-9a-f]{64}$/);
    assertEquals(storedSecret(folder, "key"), secret);
    assert(storedSecret(folder, "other") !== secret);
    assertEquals([modeOf(`${folder}/key`), namesIn(folder)], [0o600, ["key", "other"]]);
  }));

Deno.test("storedSecret: processes that ask at once all get the same", () =>
  withFolder(async (folder) => {
    const module = new URL("../../../server/config/data_folder.ts", import.meta.url).href;
    const script = `import { storedSecret } from "${module}";
      console.log(storedSecret(${JSON.stringify(folder)}, "key"));`;
    const ask = () => outputOfCommand(Deno.execPath(), { args: ["eval", script] });
    const secrets = await Promise.all(Array.from({ length: 4 }, ask));
    assertMatch(secrets[0], /^[0-9a-f]{64}\n$/);
    assertEquals(new Set(secrets).size, 1);
  }));

Deno.test("storedSecret: an empty or short one is an error that says what to do", () =>
  withFolder((folder) => {
    const words = {
      "\n": "it is empty; delete it",
      "short\n": "shorter than 32 characters; delete it",
    };
    for (const [text, message] of Object.entries(words)) {
      Deno.writeTextFileSync(`${folder}/key`, text);
      assertThrows(() => storedSecret(folder, "key", 32), DataFolderError, message);
    }
    assertEquals(storedSecret(folder, "key", 5), "short");
  }));

Deno.test("makeDataFolder: is for its owner alone; what is there stays, and a file is named", () =>
  withFolder((folder) => {
    makeDataFolder(`${folder}/made`, []);
    assertEquals([modeOf(`${folder}/made`), namesIn(`${folder}/made`)], [0o700, []]);
    Deno.chmodSync(folder, 0o755);
    makeDataFolder(folder, []);
    assertEquals(modeOf(folder), 0o755);
    Deno.writeTextFileSync(`${folder}/file`, "");
    const messageOf = (insteadOf: string[]) =>
      assertThrows(() => makeDataFolder(`${folder}/file`, insteadOf), DataFolderError).message;
    const keys = /\/file.*do without one: SESSION_KEY, DATABASE_URL \(a key or a token: .*openssl/;
    assertMatch(messageOf(["SESSION_KEY", "DATABASE_URL"]), keys);
    assertMatch(messageOf(["DATABASE_URL"]), /\. Set DATA_DIR to .*do without one: DATABASE_URL$/);
  }));

Deno.test("recordsKeys: those that are set, or one stored in the folder, which is made", () =>
  withFolder((folder) => {
    const keys = ["k".repeat(32)];
    const settings = readSettings({ DATA_DIR: `${folder}/made`, RECORDS_KEY: keys[0] });
    assertEquals([recordsKeys(settings), namesIn(folder)], [keys, []]);
    const [stored] = recordsKeys(readSettings({ DATA_DIR: `${folder}/made` }));
    assertEquals(Deno.readTextFileSync(`${folder}/made/records-key`), stored);
  }));
