import { assertEquals, assertRejects } from "@std/assert";
import { UsageError } from "../../cli/command.ts";
import { readNamedFile } from "../../cli/files.ts";
import { processIo } from "../../cli/io.ts";
import { withFolder } from "../with_folder.ts";

Deno.test("readNamedFile: the text of a file, or what is wrong with it", () =>
  withFolder(async (folder) => {
    const io = processIo();
    const read = (name: string) => readNamedFile("--key", `${folder}/${name}`, io);
    await assertRejects(() => read("none"), UsageError, "--key: there is no file");
    await assertRejects(() => read(""), UsageError, "can't be read (EISDIR)");
    await io.writeFile(`${folder}/key`, "secret", 0o600);
    assertEquals(await read("key"), "secret");
    assertEquals((await Deno.stat(`${folder}/key`)).mode! & 0o777, 0o600);
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
    const read = async (end: number) =>
      new TextDecoder().decode(await file.slice(5, end).arrayBuffer());
    assertEquals([await read(9), await read(99)], ["byte", "bytes"]);
    await file.close();
  }));
