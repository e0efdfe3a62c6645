/** Both implementations of verifying, side by side. */
import { readPublicKey } from "../../../lib/evidence/keys.ts";
import { verifyPack } from "../../../lib/evidence/mod.ts";
import { toBase64 } from "../../../lib/evidence/people.ts";
import { KEY } from "./packs.ts";

const VERIFY = new URL("../../../docs/evidence/verify.py", import.meta.url).pathname;
const BATCH = new URL("verify.py", import.meta.url).pathname;

/** Whether Python with its package `cryptography` is there; if not, says so once. */
export const HAS_PYTHON: boolean = await new Deno.Command("python3", {
  args: ["-c", "import cryptography, sys; sys.exit(sys.version_info < (3, 11))"],
  stderr: "null",
}).output().then(({ success }) => success, () => false);
if (!HAS_PYTHON) console.warn("python3 with cryptography is missing: verify.py is not tested");

const EXIT_CODES = { "holds": 0, "unknown key": 1, "does not hold": 1, "not a pack": 2 };

/** The exit codes of `docket verify`. */
export async function verifyAll(packs: readonly Uint8Array<ArrayBuffer>[]): Promise<number[]> {
  const codes: number[] = [];
  for (const pack of packs) {
    codes.push(EXIT_CODES[(await verifyPack(new Blob([pack]), [KEY.publicKey])).outcome]);
  }
  return codes;
}

/** The exit codes of verify.py. */
export async function verifyByPython(packs: readonly Uint8Array[]): Promise<number[]> {
  const keys = JSON.stringify([toBase64(await readPublicKey(KEY.publicKey))]);
  const child = new Deno.Command("python3", {
    args: [BATCH, VERIFY],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  await writer.write(encoder.encode(`${keys}\n`));
  for (const pack of packs) {
    await writer.write(encoder.encode(`${pack.length}\n`));
    await writer.write(pack);
  }
  await writer.close();
  return new TextDecoder().decode((await output).stdout).trim().split("\n").map(Number);
}
