/** A first start from a clean checkout: `deno task start` installs, builds and serves. */
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench } from "./bench.ts";

const MEGABYTES = 125;
const PACKAGES = 142;
const LINES = 20;

const bench: Bench = () =>
  withFolder(async (folder) => {
    const checkout = `${folder}/checkout`;
    await clone(checkout);
    const lines = await startOnce(checkout);
    const modules = `${checkout}/node_modules`;
    const packages = [...Deno.readDirSync(`${modules}/.deno`)].filter(({ isDirectory, name }) =>
      isDirectory && name !== "node_modules"
    );
    const count = (number: number) => number.toFixed(0);
    return [
      atMost(
        "a first start: size of `node_modules`",
        await megabytesOf(modules),
        MEGABYTES,
        (size) => `${size.toFixed(0)} MB`,
      ),
      atMost("a first start: packages", packages.length, PACKAGES, count),
      atMost("a first start: printed lines", lines, LINES, count),
    ];
  });

export default bench;

async function clone(folder: string): Promise<void> {
  const repository = new URL("../", import.meta.url);
  const { success, stderr } = await new Deno.Command("git", {
    args: ["clone", "--quiet", "--depth=1", repository.href, folder],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Starts the program, stops it once it serves, and counts the lines that it printed. */
async function startOnce(checkout: string): Promise<number> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    cwd: checkout,
    env: { PORT: "0", DATA_DIR: `${checkout}/data`, DENO_DIR: `${checkout}/.cache` },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (printed.includes("developer token")) process.kill("SIGTERM");
    }
  };
  await Promise.all([read(process.stdout), read(process.stderr), process.status]);
  if (!printed.includes("listens on")) throw new Error(`Docket did not start: ${printed}`);
  return printed.split("\n").filter((line) => line.trim() !== "").length;
}

async function megabytesOf(folder: string): Promise<number> {
  const { stdout } = await new Deno.Command("du", { args: ["-sm", folder] }).output();
  return parseInt(new TextDecoder().decode(stdout));
}
