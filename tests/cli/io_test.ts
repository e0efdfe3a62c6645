import { assertEquals, assertRejects } from "@std/assert";
import { processIo } from "../../cli/io.ts";
import { withFolder } from "../with_folder.ts";

Deno.test("processIo: a file that is not there is none, and one that can't be read is an error", () =>
  withFolder(async (folder) => {
    const io = processIo();
    assertEquals(await io.readFile(`${folder}/none`), undefined);
    await assertRejects(() => io.readFile(folder), Error, "EISDIR");
    await io.writeFile(`${folder}/some`, "text");
    assertEquals(await io.readFile(`${folder}/some`), "text");
  }));

Deno.test("processIo: knows whether others may read a file", () =>
  withFolder(async (folder) => {
    const path = `${folder}/config.json`;
    await Deno.writeTextFile(path, "{}", { mode: 0o600 });
    assertEquals(await processIo().isReadByOthers(path), false);
    for (const mode of [0o640, 0o604]) {
      await Deno.chmod(path, mode);
      assertEquals(await processIo().isReadByOthers(path), true, mode.toString(8));
    }
  }));

Deno.test("processIo: a stream becomes a file as a whole, or leaves what was there", () =>
  withFolder(async (folder) => {
    const io = processIo();
    const path = `${folder}/pack`;
    assertEquals(await io.openFile(path), undefined);
    await assertRejects(() => io.openFile(folder), Error, "is a folder");
    await io.writeFile(path, new Blob(["some bytes"]).stream());
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(9));
        controller.error(new Error("The service failed"));
      },
    });
    await assertRejects(() => io.writeFile(path, failing), Error, "The service failed");
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["pack"]);
    const file = (await io.openFile(path))!;
    assertEquals(file.size, 10);
    assertEquals(new TextDecoder().decode(await file.slice(5, 99).arrayBuffer()), "bytes");
    await file.close();
    await io.writeFile(`${folder}/key`, "secret", 0o600);
    assertEquals(await io.isReadByOthers(`${folder}/key`), false);
  }));
