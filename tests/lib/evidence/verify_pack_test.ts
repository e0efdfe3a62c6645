import { assertEquals, assertRejects } from "@std/assert";
import { makeFileSets } from "../../../lib/testing/mod.ts";
import { randomFrom } from "../judgement/histories/random.ts";
import {
  acceptedByCommands,
  filesOf,
  KEY,
  OTHER_KEY,
  packOf,
  put,
  signed,
  textIn,
  verify,
  zipOf,
} from "./packs.ts";

const { bytes } = await packOf({ body: {} }, { fileSets: makeFileSets(5) });
const files = filesOf(bytes);

Deno.test("verifyPack: tells an intact pack from an unknown key, none, and something else", async () => {
  const outcomeOf = async (pack: Uint8Array<ArrayBuffer>, keys?: string[]) => {
    const { outcome, complete } = await verify(pack, keys);
    assertEquals(complete, outcome === "intact");
    return outcome;
  };
  assertEquals(await outcomeOf(bytes), "intact");
  assertEquals(await outcomeOf(bytes, [OTHER_KEY.publicKey, `\n${KEY.publicKey}\n\n`]), "intact");
  assertEquals(await outcomeOf(bytes, []), "unknown key");
  assertEquals(await outcomeOf(bytes, [OTHER_KEY.publicKey]), "unknown key");
  assertEquals(await outcomeOf(zipOf(signed(files, OTHER_KEY))), "unknown key");
  const { "report.html": more, ...without } = files;
  for (
    const other of [new Uint8Array(), bytes.slice(0, -1), zipOf(without), zipOf({ ...files, more })]
  ) {
    assertEquals(await outcomeOf(other), "no pack");
  }
  await assertRejects(() => verify(bytes, [KEY.privateKey]), Error, "BEGIN PUBLIC KEY");
});

Deno.test("verifyPack: a manifest of another form is not intact, even where it is signed", async () => {
  const manifest = JSON.parse(textIn(files, "manifest.json"));
  const forms = ["null", "{", "[".repeat(100_000), JSON.stringify({ ...manifest, service: {} })];
  for (const changes of [{ format: "docket-evidence/1" }, { asked: null }, { incomplete: 7 }]) {
    forms.push(JSON.stringify({ ...manifest, ...changes }));
  }
  for (const form of forms) {
    const { outcome, complete } = await verify(zipOf(signed(put(files, "manifest.json", form))));
    assertEquals([outcome, complete], ["not intact", false], form.slice(0, 99));
  }
});

Deno.test("verifyPack: accepts no pack that was changed, by as little as a bit", async () => {
  const { between } = randomFrom(7);
  const random = (below: number) => between(0, below - 1);
  const accepted: string[] = [];
  const tryPack = async (what: string, pack: Uint8Array<ArrayBuffer>) => {
    const { outcome, complete } = await verify(pack);
    if (outcome === "intact" || complete) accepted.push(what);
  };
  for (const [name, content] of Object.entries(files)) {
    for (const level of [0, 6] as const) {
      const changed = content.slice();
      changed[random(content.length)] ^= 1 << random(8);
      await tryPack(name, zipOf({ ...files, [name]: changed }, level));
      if (await acceptedByCommands({ ...files, [name]: changed })) {
        accepted.push(`commands, ${name}`);
      }
    }
  }
  for (let at = 0; at < 60; at++) {
    const [from, count] = [random(bytes.length), 1 + random(40)];
    const more = Uint8Array.from({ length: at % 3 === 2 ? 0 : count }, () => random(256));
    const rest = bytes.subarray(from + (at % 3 === 1 ? 0 : count));
    // Replaced, inserted or removed.
    await tryPack(`bytes ${from}`, new Uint8Array([...bytes.subarray(0, from), ...more, ...rest]));
  }
  // Of every header, and of a part of the content, every bit.
  const places = new Set(Array.from({ length: 60 }, () => random(bytes.length)));
  for (let index = 0; index < bytes.length; index++) {
    // Headers begin with these letters.
    if (bytes[index] !== 0x50 || bytes[index + 1] !== 0x4b) continue;
    for (let at = index; at < Math.min(index + 46, bytes.length); at++) places.add(at);
  }
  for (const place of places) {
    const flipped = bytes.slice();
    flipped[place] ^= 1 << random(8);
    await tryPack(`bit at ${place}`, flipped);
  }
  assertEquals(accepted, []);
});
