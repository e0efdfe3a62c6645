import { assertEquals, assertRejects } from "@std/assert";
import { processIo } from "../../cli/io.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("processIo: a file that is not there is none, and one that can't be read is an error", () =>
  inFolder(async (folder) => {
    const io = processIo();
    assertEquals(await io.readFile(`${folder}/none`), undefined);
    await assertRejects(() => io.readFile(folder), Error, "EISDIR");
    await io.writeFile(`${folder}/some`, "text");
    assertEquals(await io.readFile(`${folder}/some`), "text");
    await io.removeFile(`${folder}/some`);
    await io.removeFile(`${folder}/some`);
    assertEquals(await io.readFile(`${folder}/some`), undefined);
  }));

Deno.test("processIo: knows whether others may read a file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/config.json`;
    await Deno.writeTextFile(path, "{}", { mode: 0o600 });
    assertEquals(await processIo().isReadByOthers(path), false);
    for (const mode of [0o640, 0o604]) {
      await Deno.chmod(path, mode);
      assertEquals(await processIo().isReadByOthers(path), true, mode.toString(8));
    }
  }));
