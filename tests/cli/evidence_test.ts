import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { world } from "./world.ts";

Deno.test("docket evidence: a key, a signed pack, and its verification in words of 80 columns", async () => {
  const { docket, files } = world();
  assertEquals((await docket("evidence", "key", "--new", "audit.key")).code, 0);
  assertMatch(files.get("audit.key")!, /^-----BEGIN PRIVATE KEY-----\n/);
  assertMatch(files.get("audit.key.pub")!, /^-----BEGIN PUBLIC KEY-----\n/);
  const again = await docket("evidence", "key", "--new", "audit.key");
  assertEquals([again.code, again.err.split("\n")[0]], [
    2,
    "--new: audit.key exists: name another file, or remove it",
  ]);

  const query = ["owner:ann", "-files:3", "--out", "q.zip", "--key", "audit.key"];
  const made = await docket("evidence", "filesets", ...query);
  assertEquals([made.code, made.out], [0, ""]);
  assertEquals(made.err, "q.zip: 250 rows, 4 lists read twice, complete\n");

  const { code, out } = await docket("verify", "q.zip", "--key", "audit.key.pub");
  assertEquals(code, 0);
  assertMatch(out, /^q\.zip: file sets that match owner:ann -files:3$/m);
  assertMatch(out, /^Everything holds\.\ncomplete\n$/m);
  assert(out.split("\n").every((line) => line.length <= 80), out);
  const unknown = await docket("verify", "q.zip");
  assertEquals(unknown.code, 1);
  assert(!/^complete$/m.test(unknown.out), unknown.out);
  assertEquals((await docket("verify", "none.zip")).code, 2);
});

Deno.test("docket evidence: a terminal shows which reading goes on", async () => {
  const { docket } = world({}, { isTerminal: true });
  const { err } = await docket("evidence", "filesets", "owner:ann", "--out", "p.zip");
  assertMatch(err, /\rreading 6 of 6, page \d+/);
});

Deno.test("docket evidence: a history without a key, and recipients on a day", async () => {
  const { docket } = world();
  const evidence = (options: string) => docket("evidence", ...options.split(" "));
  const history = await evidence("history 101 --since 2025-04 --out h.zip");
  assertEquals([history.code, history.err.split(",")[0]], [2, "--since must be a day"]);
  const since = "--since 2025-04-01 --zone Europe/Berlin";
  const { code, err } = await evidence(`history 101 ${since} --out h.zip`);
  assertEquals(code, 0);
  assertMatch(err, /^h\.zip: 31 rows, 1 list read twice, complete\n {2}It is not signed/);
  const verified = await docket("verify", "h.zip", "--json");
  assertEquals([verified.code, JSON.parse(verified.out).outcome], [1, "unknown key"]);
  const people = await evidence("recipients 101 --on 2025-02-01 --out r.zip");
  assertEquals(people.code, 0);
  const missing = await evidence("recipients 101-103 --on 2025-02-01 --out x");
  assertEquals(missing.code, 1);
  assertStringIncludes(missing.err, "/reportschedules/102/history");
});

Deno.test("docket evidence: incomplete exits with 3, and says why", async () => {
  const { docket } = world({ quirks: { total: (rows) => rows + 1 } });
  const { code, err } = await docket("evidence", "filesets", "--out", "q.zip");
  assertEquals(code, 3);
  const { out } = await docket("evidence", "filesets", "--out", "q.json.zip", "--json");
  assertEquals(JSON.parse(out).complete, false);
  assertMatch(err, /incomplete\n {2}Reading 1 of list 0 saw rows move or contradict: total\./);
  assert(!/^complete$/m.test((await docket("verify", "q.zip")).out));
});

Deno.test("docket evidence: interrupted, it leaves no file", async () => {
  let stop = () => {};
  const { docket, packs } = world({
    fileSets: makeFileSets(3000),
    change: (_, { offset }) => void (offset > 900 && stop()),
  }, { isTerminal: true, onInterrupt: (interrupt) => stop = interrupt });
  const { code } = await docket("evidence", "filesets", "--out", "q.zip");
  assertEquals([code, packs.size], [130, 0]);
});

Deno.test("docket evidence: what can't be made is refused before anything is sent", async () => {
  const { docket, service, files, readByOthers } = world();
  const refused: [string[], string][] = [
    [[], "evidence needs one of filesets, history, recipients or key"],
    [["filesets"], "evidence needs --out FILE"],
    [["key"], "evidence key needs --new FILE"],
    [["history", "--out", "a"], "evidence history needs the id of a report schedule"],
    [["recipients", "1", "--out", "a"], "evidence recipients needs --on DAY"],
    [
      ["recipients", "1", "--on", "2999-01-01", "--out", "a"],
      "on must be a day that is not in the future",
    ],
    [["recipients", "9-1", "--on", "2026-01-01", "--out", "a"], "Schedules are ids and ranges"],
    [["filesets", "--on", "2026-01-01", "--out", "a"], "evidence filesets takes no --on"],
    [["filesets", "--out", "there"], "--out: there exists: name another file, or remove it"],
    [["filesets", "--out", "a", "--key", "b"], "--key: there is no file b"],
    [["filesets", "--out", "a", "--key", "open"], "open can be read by others: chmod 600 open"],
    [
      ["filesets", "--out", "a", "--key", "c"],
      "--key must be Ed25519, as PEM that begins with -----BEGIN PRIVATE KEY-----",
    ],
  ];
  files.set("there", "");
  files.set("open", "");
  readByOthers.add("open");
  files.set("c", "no key");
  for (const [args, message] of refused) {
    const { code, err } = await docket("evidence", ...args);
    assertEquals(code, 2, err);
    assertStringIncludes(err, message);
  }
  assertEquals(service.requests.length, 0);
});
