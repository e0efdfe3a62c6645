import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  DataFolderError,
  makeDataFolder,
  recordsKeys,
  storedSecret,
} from "../../../server/config/data_folder.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { withFolder } from "../../with_folder.ts";

Deno.test("storedSecret: is made once and kept, for its owner's eyes only", () =>
  withFolder((folder) => {
    const secret = storedSecret(folder, "key");
    assertMatch(secret, /^[0-9a-f]{64}$/);
    assertEquals(storedSecret(folder, "key"), secret);
    assert(storedSecret(folder, "other") !== secret);
    assertEquals(Deno.statSync(`${folder}/key`).mode! & 0o777, 0o600);
    assertEquals([...Deno.readDirSync(folder)].map((entry) => entry.name).sort(), ["key", "other"]);
  }));

Deno.test("storedSecret: processes that ask at once all get the same", () =>
  withFolder(async (folder) => {
    const module = new URL("../../../server/config/data_folder.ts", import.meta.url).href;
    const script = `import { storedSecret } from "${module}";
      console.log(storedSecret(${JSON.stringify(folder)}, "key"));`;
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () =>
        new Deno.Command(Deno.execPath(), {
          args: ["eval", script],
        }).output()),
    );
    const secrets = outputs.map(({ stdout }) => new TextDecoder().decode(stdout).trim());
    assertMatch(secrets[0], /^[0-9a-f]{64}$/);
    assertEquals(new Set(secrets).size, 1);
  }));

Deno.test("storedSecret: an empty file is an error that says what to do", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/key`, "\n");
    const error = assertThrows(() => storedSecret(folder, "key"), DataFolderError);
    assertMatch(error.message, /it is empty; delete it/);
  }));

Deno.test("storedSecret: one that is too short is an error that says what to do", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/key`, "short\n");
    const error = assertThrows(() => storedSecret(folder, "key", 32), DataFolderError);
    assertMatch(error.message, /it is shorter than 32 characters; delete it/);
    assertEquals(storedSecret(folder, "key", 5), "short");
  }));

Deno.test("makeDataFolder: a file in its place is an error that names the folder", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const error = assertThrows(() => makeDataFolder(`${folder}/file`, []), DataFolderError);
    assert(error.message.includes(`${folder}/file`));
  }));

Deno.test("makeDataFolder: the error names what to set instead, and how to make a key", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const messageOf = (insteadOf: string[]) =>
      assertThrows(() => makeDataFolder(`${folder}/file`, insteadOf), DataFolderError).message;
    assertMatch(
      messageOf(["SESSION_KEY", "DATABASE_URL"]),
      /do without one: SESSION_KEY, DATABASE_URL \(a key or a token: .*openssl rand -hex 32/,
    );
    assertMatch(messageOf(["DATABASE_URL"]), /do without one: DATABASE_URL$/);
  }));

Deno.test("makeDataFolder: is for its owner alone; one that was there is left as it is", () =>
  withFolder((folder) => {
    makeDataFolder(`${folder}/made`, []);
    const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;
    assertEquals(modeOf(`${folder}/made`), 0o700);
    assertEquals([...Deno.readDirSync(`${folder}/made`)], []);
    Deno.chmodSync(folder, 0o755);
    makeDataFolder(folder, []);
    assertEquals(modeOf(folder), 0o755);
  }));

Deno.test("recordsKeys: those that are set, or one stored in the folder", () =>
  withFolder((folder) => {
    const settings = readSettings({ DATA_DIR: `${folder}/made` });
    const keys = ["k".repeat(32)];
    assertEquals(recordsKeys({ ...settings, recordsKeys: keys }), keys);
    assertEquals([...Deno.readDirSync(folder)], []);
    const [stored] = recordsKeys(settings);
    assertEquals(Deno.readTextFileSync(`${folder}/made/records-key`), stored);
    assertEquals(recordsKeys(settings), [stored]);
  }));
