import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import { filesOf, textIn } from "../lib/evidence/packs.ts";
import { runSteps, world } from "./world.ts";

/** A world with a key. */
async function keyed(...options: Parameters<typeof world>) {
  const made = world(...options);
  assertEquals((await made.docket("evidence", "key", "--new", "audit.key")).code, 0);
  const evidence = (words: string, ...more: string[]) =>
    made.docket("evidence", ...words.split(" "), "--key", "audit.key", ...more);
  return { ...made, evidence };
}

Deno.test("docket evidence: a key, a signed pack, and its verification in words of 80 columns", async () => {
  const { docket, files } = await keyed();
  assertMatch(String(files.get("audit.key")), /^-----BEGIN PRIVATE KEY-----\n/);
  assertMatch(String(files.get("audit.key.pub")), /^-----BEGIN PUBLIC KEY-----\n/);
  const make = "evidence filesets owner:ann -files:3 --out q.zip --key audit.key";
  await runSteps(docket, [[make, 0, "", /^q\.zip: complete, \d+ rows read twice\n$/]]);
  const { code, out } = await docket("verify", "q.zip", "--key", "audit.key.pub");
  assertEquals(code, 0);
  assertMatch(out, /^q\.zip: intact\. .*\n\| file sets that match owner:ann -files:3\n\| From /);
  assertMatch(out, /\n\| .*time of signing\.\ncomplete\n$/);
  assert(out.split("\n").every((line) => line.length <= 80), out);
  await runSteps(docket, [
    ["evidence key --new other", 0, "", /./],
    ["verify q.zip --key other.pub", 1, /^q\.zip: unknown key\./],
    ["verify q.zip", 1, /^q\.zip: unknown key\./],
    ["verify none.zip", 2, "", /^There is no file none\.zip\n/],
    ["verify audit.key", 2, /^audit\.key: no pack\./],
  ]);
});

Deno.test("docket verify: says whether it is complete on a line of its own", async () => {
  const name = `${"x".repeat(76)}complete`;
  const { docket, evidence } = await keyed({ quirks: { total: (rows: number) => rows + 1 } });
  for (const [at, owner] of [name, "a complete", "b\ncomplete\n"].entries()) {
    assertEquals((await evidence(`filesets --out ${at}.zip`, `owner:"${owner}"`)).code, 3);
    const { code, out } = await docket("verify", `${at}.zip`, "--key", "audit.key.pub");
    assertEquals([code, out.match(/^complete$/m), out.split("\n").at(-2)], [0, null, "incomplete"]);
    assert(out.split("\n").slice(1, -2).every((line) => line.startsWith("| ")), out);
  }
});

Deno.test("docket evidence: a schedule that the service lacks is left out, and said", async () => {
  const { evidence, files } = await keyed({ runs: { 101: makeRuns(5) } });
  const history = await evidence("history 101 --out h.zip");
  assertEquals([history.code, history.err], [0, "h.zip: complete, 5 rows read twice\n"]);
  const missing = await evidence("recipients 101-102 --on 2025-02-01 --masked --out x.zip --json");
  const incomplete = ["The list of schedule 102 was refused with status 404."];
  const said = { pack: "x.zip", complete: false, incomplete };
  assertEquals([missing.code, JSON.parse(missing.out)], [3, said]);
  const packed = filesOf(files.get("x.zip") as Uint8Array);
  assert(!textIn(packed, "items.ndjson").includes("ann@"));
  assertEquals((await evidence("history 102 --out y.zip")).code, 1);
  assertEquals(files.has("y.zip"), false);
});

Deno.test("docket evidence: interrupted, it leaves no file", async () => {
  let stop = () => {};
  const { evidence, files } = await keyed({
    fileSets: makeFileSets(3000),
    change: (_, { offset }) => void (offset > 900 && stop()),
  }, { isTerminal: true, onInterrupt: (interrupt) => stop = interrupt });
  const { code } = await evidence("filesets --out q.zip");
  assertEquals([code, [...files.keys()]], [130, ["audit.key", "audit.key.pub"]]);
});

Deno.test("docket evidence: what can't be made is refused before anything is sent", async () => {
  const { docket, service, files } = await keyed();
  files.set("there", "no key");
  await runSteps(docket, [
    ["key --new there", 2, "", /^--new: there exists: name another file, or remove it\n/],
    ["filesets", 2, "", /--out FILE is missing/],
    ["filesets --out there --key audit.key", 2, "", /^--out: there exists: name another/],
    ["filesets --out a --key b", 2, "", /^--key: there is no file b/],
    ["history 1 --out a --key there", 2, "", /must be Ed25519, as PEM that begins with -----BEGIN/],
    ["recipients 101 --on 2999-01-01 --out a --key audit.key", 2, "", /not in the future/],
  ], "evidence");
  assertEquals(service.requests, []);
});
