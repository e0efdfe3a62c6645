import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { FileSet, SearchBody } from "../../../lib/mod.ts";
import { type EvidenceQuestion, verifyPack } from "../../../lib/evidence/mod.ts";
import { makeFileSets, makeRuns, type TestServiceOptions } from "../../../lib/testing/mod.ts";
import { filesOf, KEY, OTHER_KEY, packOf, textIn, zipOf } from "./packs.ts";

const BODY: SearchBody = {
  filters: [
    { field: "owner", operator: "EQUALS", value: ["ann", "bob"] },
    { field: "fileCount", value: ["3"], not: true },
  ],
  dateFilters: [{ field: "updated", start: "2025-01-01T00:20:00Z" }],
};
const SEARCH: EvidenceQuestion = { kind: "search", body: BODY };
const fileSets = makeFileSets(120);

async function verify(bytes: Uint8Array<ArrayBuffer>, keys = [KEY.publicKey]) {
  return await verifyPack(new Blob([bytes]), keys);
}

Deno.test("makePack: a search: all, matching, and disjoint ones, each read twice", async () => {
  const { bytes, manifest } = await packOf(SEARCH, { fileSets }, { limit: 50 });
  assertEquals([manifest.complete, manifest.incomplete], [true, []]);
  const files = filesOf(bytes);
  const { lists, inNone } = JSON.parse(textIn(files, "proof.json"));
  const { filters: [owner, count], dateFilters: [updated] } = BODY as Required<SearchBody>;
  assertEquals(lists.map(({ body }: { body: SearchBody }) => body), [
    {},
    { filters: [owner, count], dateFilters: [updated] },
    { filters: [{ ...owner, not: true }] },
    { filters: [owner, { field: "fileCount", value: ["3"] }] },
    { filters: [owner, count], dateFilters: [{ ...updated, not: true }] },
  ]);
  const sizes = lists.map(({ size }: { size: number }) => size);
  assertEquals(sizes[0], 120);
  assertEquals(sizes.slice(1).reduce((sum: number, size: number) => sum + size), 120);
  assertEquals(inNone, 0);
  assertEquals(manifest.readings.map(({ list, round }) => `${list}.${round}`).sort(), [
    ...["0.1", "0.2", "1.1", "1.2", "2.1", "2.2", "3.1", "3.2", "4.1", "4.2"],
  ]);
  const [first, second] = [1, 2].map((round) =>
    manifest.readings.filter((reading) => reading.round === round)
      .reduce((sum, { requests }) => sum + requests, 0)
  );
  assertEquals([first, second], [LATER, LATER]);
  const all = manifest.readings.find(({ list }) => list === 0)!;
  assertEquals([all.requests, all.total, all.rows, all.size], [4, 120, 120, 120]);
  const rows = textIn(files, "items.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows.length, 120);
  // Whatever stands for nobody is as it was read.
  const { owner: _, createdBy: __, updatedBy: ___, ...plain } = fileSets[5];
  const found = rows.find(({ row }) => row.id === plain.id).row;
  assertEquals({ ...found, ...plain }, found);
  assertEquals((await verify(bytes)).complete, true);
});

Deno.test("makePack: the order of reading does not matter, the rows do", async () => {
  const rootOf = async (rows: FileSet[]) => {
    const { bytes } = await packOf({ kind: "search", body: {} }, { fileSets: rows });
    return textIn(filesOf(bytes), "items.ndjson").length > 0 &&
      JSON.parse(textIn(filesOf(bytes), "proof.json")).lists[0].size;
  };
  assertEquals(await rootOf(fileSets), await rootOf(fileSets.toReversed()));
});

Deno.test("makePack: rows that come again within a reading are counted, and listed once", async () => {
  const question: EvidenceQuestion = { kind: "search", body: {} };
  const again = [...fileSets.slice(0, 5), ...fileSets.slice(1, 4)];
  const { manifest } = await packOf(question, { fileSets: again });
  assertEquals(
    manifest.readings.map(({ drift, rows, size }) => [drift, rows, size]),
    Array(2).fill([{ repeated: 3 }, 8, 5]),
  );
  // On several pages, the walk sees that they come again, too.
  const overlapping = [...fileSets.slice(0, 6), ...fileSets.slice(3, 9)];
  const paged = await packOf(question, { fileSets: overlapping }, { limit: 4 });
  const { readings: [first] } = paged.manifest;
  assertEquals(first.drift, { repeated: 4 });
});

Deno.test("makePack: half of a surrogate pair is replaced wherever it is in a row", async () => {
  const runs = makeRuns(1).map((run) => ({ ...run, extra: { "\ud800": ["\udead", 5, null] } }));
  const { bytes } = await packOf({ kind: "history", scheduleId: 101 }, { runs: { 101: runs } });
  const said = '"extra":{"\ufffd":["\ufffd",5,null]}';
  assertStringIncludes(textIn(filesOf(bytes), "items.ndjson"), said);
});

Deno.test("makePack: nobody is named outside people.json, and salts are new for each pack", async () => {
  const runs = makeRuns(3).map((run) => ({
    ...run,
    ownerId: 424242,
    reportSubject: "For ann@example.com",
    extra: { of: ["x@example.org"], person: "0".repeat(64) },
    other: { person: "1".repeat(64) },
  }));
  const question: EvidenceQuestion = { kind: "history", scheduleId: 101 };
  const packs = [
    await packOf(question, { runs: { 101: runs } }),
    await packOf(question, {
      runs: { 101: runs },
    }),
  ];
  const [first, second] = packs.map(({ bytes }) => filesOf(bytes));
  for (const name of ["items.ndjson", "proof.json", "report.html", "manifest.json"]) {
    for (const secret of ["ann", "Bob", "424242", "x@example", "1111111"]) {
      assert(!textIn(first, name).includes(secret), `${name}: ${secret}`);
    }
  }
  assertStringIncludes(textIn(first, "people.json"), "ann@example.com");
  assert(textIn(first, "items.ndjson") !== textIn(second, "items.ndjson"));
  const { bytes } = packs[0];
  assertEquals((await verify(bytes)).complete, true);
  const { "people.json": _, ...others } = first;
  const without = await verify(zipOf(others));
  assertEquals([without.outcome, without.complete], ["holds", true]);
});

Deno.test("makePack: the report prints, runs nothing, and names nobody of the search either", async () => {
  const { bytes } = await packOf({
    kind: "search",
    body: {
      filters: [{ field: "owner", value: ["ann"] }, { field: "name", value: ["a@b.example"] }],
    },
  }, { fileSets });
  const report = textIn(filesOf(bytes), "report.html");
  assert(
    !/<script|\bon\w+=|javascript:|https?:\/\/(?!service\.example)|ann|a@b/i.test(report),
    report,
  );
  assertMatch(report, /default-src 'none'/);
  assertMatch(report, /<strong>Complete<\/strong>.*<td>nothing\n/s);
});

Deno.test("makePack: a history since a moment, and recipients on a day", async () => {
  const runs = { 101: makeRuns(60), 102: makeRuns(3), 103: [] };
  const history = await packOf(
    { kind: "history", scheduleId: 101, since: "2025-02-01T00:00:00Z" },
    { runs },
  );
  assertEquals(history.manifest.readings.map(({ rows, size, total }) => [rows, size, total]), [
    [60, 30, null],
    [60, 30, null],
  ]);
  const people = await packOf(
    { kind: "recipients", scheduleIds: [101, 102, 103], on: "2025-01-11", zone: "Europe/Berlin" },
    { runs },
  );
  // The tenth run failed, so the ninth tells who was on the list.
  assertEquals(people.manifest.snapshot, [
    { scheduleId: 101, run: 9 },
    { scheduleId: 102, run: 3 },
    { scheduleId: 103, run: null },
  ]);
  assertEquals(people.manifest.asked.before, "2025-01-11T23:00:00Z");
  for (const { bytes } of [history, people]) assertEquals((await verify(bytes)).complete, true);
});

Deno.test("makePack: rows that no condition places are counted, and make it incomplete", async () => {
  // As SQL has it: what is not known is neither.
  const unknown = { ...fileSets[0], id: "x", owner: null };
  const asSql = (body: string) => /"owner"/.test(body);
  const { bytes, manifest } = await packOf(SEARCH, {
    fileSets,
    change: (service, { body = "" }) => {
      service.fileSets.splice(0, service.fileSets.length, ...fileSets);
      if (!asSql(body)) service.fileSets.push(unknown);
    },
  });
  assertEquals(manifest.complete, false);
  assertEquals(manifest.incomplete, [
    "Rows that no condition places, perhaps for lack of a value: 1.",
  ]);
  assertStringIncludes(textIn(filesOf(bytes), "report.html"), "<p>1 row is in none of the lists");
  const { outcome, complete, findings } = await verify(bytes);
  assertEquals([outcome, complete], ["holds", false]);
  const said = `The manifest itself says what is missing: ${manifest.incomplete[0]}`;
  assert(findings.some(({ holds, text }) => holds && text === said));
});

Deno.test("verifyPack: a key may have blank lines around it, as files have", async () => {
  const { bytes } = await packOf(SEARCH, { fileSets });
  const { outcome } = await verify(bytes, [`\n${KEY.publicKey}\n\n`]);
  assertEquals(outcome, "holds");
});

/** The first request of the second round. */
const LATER = 13;

const LIARS: Record<string, TestServiceOptions> = {
  "promises more than it sends": { quirks: { total: (rows) => rows + 7 } },
  "promises less than it sends": { quirks: { total: (rows) => rows - 7 } },
  "drops a row between readings": {
    change: (service, { index }) => void (index === LATER && service.fileSets.splice(7, 1)),
  },
  "drops a row while it is read": {
    change: (service, { offset }) => void (offset > 0 && service.fileSets.splice(0, 1)),
  },
  "changes a row between readings": {
    change: (service, { index }) =>
      void (index === LATER && service.fileSets.splice(7, 1, { ...fileSets[7], name: "changed" })),
  },
  "adds a row between readings": {
    change: (service, { index }) =>
      void (index === LATER && service.fileSets.push(...makeFileSets(1, 500))),
  },
  "leaves rows out of what does not match": {
    change: (service, { body = "" }) => {
      const isPart = body.includes('"not":true');
      service.fileSets.splice(0, service.fileSets.length, ...fileSets.slice(isPart ? 60 : 0));
    },
  },
  "sends rows in two parts": {
    change: (service, { body = "" }) => {
      const isPart = body.includes('"not":true');
      const rows = isPart ? fileSets.map((row) => ({ ...row, owner: "zoe" })) : fileSets;
      service.fileSets.splice(0, service.fileSets.length, ...rows);
    },
  },
};

for (const [what, options] of Object.entries(LIARS)) {
  Deno.test(`makePack: never complete where a service ${what}`, async () => {
    const { bytes, manifest } = await packOf(SEARCH, { fileSets, ...options }, { limit: 50 });
    assertEquals(manifest.complete, false);
    assert(manifest.incomplete.length > 0);
    const { outcome, complete } = await verify(bytes);
    assertEquals([outcome, complete], ["holds", false]);
  });
}

Deno.test("makePack: a service that repeats a page for ever ends the pack", async () => {
  const question: EvidenceQuestion = { kind: "search", body: {} };
  const repeating = { fileSets, quirks: { ignoresOffset: true } };
  await assertRejects(
    () => packOf(question, repeating, { limit: 50 }),
    Error,
    "The service goes no further",
  );
});

Deno.test("makePack: what no verifier would open is not written", async () => {
  const value = [`x${"y".repeat(150_000)}`];
  const filters = Array.from({ length: 8 }, () => ({ field: "owner", value, not: true }));
  await assertRejects(
    () => packOf({ kind: "search", body: { filters } }, { fileSets: makeFileSets(3) }),
    Error,
    "proof.json is too large for a pack",
  );
});

Deno.test("makePack: cancelled, it calls off its requests; aborted, it fails", async () => {
  const { createClient } = await import("../../../lib/mod.ts");
  const { makePack } = await import("../../../lib/evidence/mod.ts");
  let open = 0;
  const client = createClient({
    baseUrl: "https://service.example",
    token: null,
    fetch: (_, { signal }) => {
      open++;
      return new Promise((_, reject) =>
        signal!.addEventListener("abort", () => {
          open--;
          reject(signal!.reason);
        })
      );
    },
  });
  const options = { service: "https://service.example", docket: "0.1.0" };
  const pack = makePack(client, SEARCH, options);
  const reader = pack.stream.getReader();
  const waiting = reader.read();
  await new Promise((done) => setTimeout(done, 10));
  assertEquals(open, 1);
  await reader.cancel();
  assertEquals([open, (await waiting).done, await pack.manifest], [0, true, undefined]);
  const unread = makePack(client, SEARCH, options);
  await unread.stream.cancel();
  assertEquals(await unread.manifest, undefined);
  const aborted = makePack(client, SEARCH, { ...options, signal: AbortSignal.timeout(20) });
  await assertRejects(() => new Response(aborted.stream).text(), Error, "aborted");
});

Deno.test("verifyPack: intact, but signed by an unknown key, or not at all", async () => {
  const { bytes } = await packOf(SEARCH, { fileSets });
  const signed = "It is signed by the key 0123456789abcdef…";
  for (const keys of [[], [OTHER_KEY.publicKey]]) {
    const { outcome, complete, findings } = await verify(bytes, keys);
    assertEquals([outcome, complete], ["unknown key", false]);
    const [said, advice] = findings[0].text.replace(/[0-9a-f]{16}/, "0123456789abcdef").split(
      /[,;]/,
    );
    assertEquals([said, advice], [
      signed,
      keys.length > 0 ? " which you do not trust" : " give the file of a key that you trust",
    ]);
  }
  const both = await verify(bytes, [OTHER_KEY.publicKey, KEY.publicKey]);
  assertEquals([both.outcome, both.complete], ["holds", true]);
  const { "signature.json": _, ...unsigned } = filesOf(bytes);
  const { outcome, findings } = await verify(zipOf(unsigned));
  assertEquals(outcome, "unknown key");
  assertEquals(findings[0], { holds: false, text: "It is not signed: anybody could have made it" });
  await assertRejects(() => verify(bytes, [KEY.privateKey]), Error, "BEGIN PUBLIC KEY");
});

Deno.test("verifyPack: a pack from the future is said to be so", async () => {
  const now = () => Date.UTC(2999, 0);
  const { bytes } = await packOf(SEARCH, { fileSets }, { now });
  const { outcome, findings } = await verify(bytes);
  assertEquals(outcome, "holds");
  assertStringIncludes(findings.at(-1)!.text, "in the future: 2999-01-01T00:00:00Z");
});

Deno.test("verifyPack: the example pack, as long as the format is the same", async () => {
  const read = (name: string) => Deno.readFile(new URL(name, import.meta.url));
  const key = new TextDecoder().decode(await read("example.pub"));
  const { outcome, complete, manifest } = await verifyPack(
    new Blob([await read("example.zip")]),
    [key],
  );
  assertEquals([outcome, complete], ["holds", true]);
  assertEquals(manifest!.asked.query, "owner:ann");
});
