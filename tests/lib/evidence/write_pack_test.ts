import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { FileSet, ReportRun, SearchBody } from "../../../lib/mod.ts";
import type { EvidenceQuestion } from "../../../lib/evidence/manifest.ts";
import { makeFileSets, makeRuns, type TestServiceOptions } from "../../../lib/testing/mod.ts";
import {
  acceptedByCommands,
  type Files,
  filesOf,
  KEY,
  OTHER_KEY,
  packOf,
  put,
  textIn,
  verify,
} from "./packs.ts";

const ANN: SearchBody = { filters: [{ field: "owner", operator: "EQUALS", value: ["ann"] }] };
const SEARCH: EvidenceQuestion = { body: ANN };
const fileSets = makeFileSets(120);
const rowsIn = (files: Files) =>
  textIn(files, "items.ndjson").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));

Deno.test("makePack: sha256sum and openssl alone verify a pack, and its key is not in it", async () => {
  const files = filesOf((await packOf(SEARCH, { fileSets })).bytes);
  for (const name of Object.keys(files)) assert(!textIn(files, name).includes("BEGIN"), name);
  assert(await acceptedByCommands(files) !== false);
  assert(!await acceptedByCommands(files, OTHER_KEY.publicKey));
  const more = put(files, "items.ndjson", `${textIn(files, "items.ndjson")}{}\n`);
  assert(!await acceptedByCommands(more));
});

Deno.test("makePack: a search has its rows as read, and three totals", async () => {
  const { bytes, manifest } = await packOf(SEARCH, { fileSets, quirks: { mostRows: 10 } });
  assertEquals([manifest.complete, manifest.incomplete], [true, []]);
  const matching = fileSets.filter(({ owner }) => owner === "ann");
  assertEquals(rowsIn(filesOf(bytes)), matching);
  const { length } = matching;
  const totals = { matching: length, all: 120, others: 120 - length };
  const readings = manifest.readings.map(({ reading, rows, totals }) => [reading, rows, totals]);
  assertEquals(readings, [[1, length, totals], [2, length, totals]]);
  assertEquals((await verify(bytes)).complete, true);
  assertMatch(manifest.proves, /no proof that the service left nothing out, or of the time/);
  // Totals of several conditions are not compared, and it is said.
  assertNotMatch(manifest.proves, /several/);
  const body = { ...ANN, dateFilters: [{ field: "updated", start: "2025-01-01T00:20:00Z" }] };
  const several = await packOf({ body }, { fileSets });
  assertEquals(several.manifest.complete, true);
  assertStringIncludes(several.manifest.proves, "(for several conditions)");
});

Deno.test("makePack: the histories of schedules have every run as read, with their schedule", async () => {
  const runs = { 101: makeRuns(7) };
  const { bytes, manifest } = await packOf({ scheduleIds: [101] }, { runs });
  assertEquals(manifest.complete, true);
  const rows = runs[101].toReversed().map((run) => ({ scheduleId: 101, ...run }));
  const byId = (a: { id: number }, b: { id: number }) => b.id - a.id;
  assertEquals(rowsIn(filesOf(bytes)).sort(byId), rows.sort(byId));
});

Deno.test("makePack: recipients on a day are of its newest good run", async () => {
  // In Tokyo, that is an hour before the day after begins in Berlin.
  const bare = { ...makeRuns(1)[0], startTime: "2025-01-12T07:00:00" };
  const next = { ...bare, startTime: "2025-01-12T08:00:00" };
  const runs = { 101: makeRuns(60), 102: makeRuns(3), 103: [], 104: [bare], 105: [next] };
  const scheduleIds = [101, 102, 103, 104, 105];
  const question = { scheduleIds, on: "2025-01-11", zone: "Europe/Berlin" };
  const { bytes, manifest } = await packOf(question, { runs }, { serviceZone: "Asia/Tokyo" });
  // The tenth run failed.
  const runsOf = rowsIn(filesOf(bytes)).map(({ scheduleId, id }) => `${scheduleId}: ${id}`);
  assertEquals(runsOf, ["101: 9", "102: 3", "103: null", "104: 1", "105: null"]);
  assertEquals("before" in manifest.asked && manifest.asked.before, "2025-01-11T23:00:00Z");
  assertEquals([manifest.complete, manifest.readings[0].rows], [true, 60]);
  assertStringIncludes(textIn(filesOf(bytes), "report.html"), "ann@example.com");
});

Deno.test("makePack: masked, addresses of recipients are in no file", async () => {
  const runs = { 101: makeRuns(4) };
  for (const question of [{ scheduleIds: [101] }, { scheduleIds: [101], on: "2025-02-01" }]) {
    const { bytes, manifest } = await packOf(question, { runs }, { masked: true });
    assertEquals([manifest.addresses, manifest.complete], ["masked", true]);
    for (const name of Object.keys(filesOf(bytes))) {
      assert(!textIn(filesOf(bytes), name).includes("ann@example"), name);
    }
    assertStringIncludes(textIn(filesOf(bytes), "items.ndjson"), "a…@example.com");
  }
});

Deno.test("makePack: the report runs and requests nothing, whatever the rows say", async () => {
  const evil = [{ ...fileSets[0], name: '<script src="//x">&</script>', owner: "ann" }];
  const { bytes } = await packOf(SEARCH, { fileSets: evil });
  const report = textIn(filesOf(bytes), "report.html");
  assertNotMatch(report, /<script|\bon\w+=|javascript:|src=[^&]|href=/i);
  assertMatch(
    report,
    /default-src 'none'.*<strong>Complete\.<\/strong>.*5,000 characters.*&#60;script/s,
  );
});

const changed = { ...fileSets[0], name: "changed" };
const zoe = { ...fileSets[0], id: "zoe", owner: "zoe" };
const many = fileSets.map((row) => ({ ...row, owner: "ann" }));

/** A service whose rows change before the second reading, after three pages of 50 and two totals. */
const changing = (change: (rows: FileSet[]) => unknown): TestServiceOptions => ({
  change: ({ fileSets }, { index }) => void (index === 5 && change(fileSets)),
});

const LIARS: Record<string, [TestServiceOptions, RegExp]> = {
  "promises more than it sends": [{ quirks: { total: (rows) => rows + 7 } }, /claimed: 127/],
  "promises less than it sends": [{ quirks: { total: (rows) => rows - 7 } }, /claimed: 113/],
  "changes a row between the readings": [
    changing((rows) => rows.splice(0, 1, changed)),
    /other rows when it was read again/,
  ],
  "drops a row between the readings": [
    changing((rows) => rows.splice(7, 1)),
    /other rows when it was read again/,
  ],
  "sorts otherwise in the second reading": [changing((rows) => rows.reverse()), /another order/],
  "drops a row while it is read": [
    { change: ({ fileSets }, { offset }) => void (offset > 0 && fileSets.splice(0, 1)) },
    /moved or contradicted itself/,
  ],
  "leaves rows out of what does not match": [{
    change: (service, { body = "" }) => {
      const rows = body.includes('"not":true') ? [] : [...many, zoe];
      service.fileSets.splice(0, service.fileSets.length, ...rows);
    },
  }, /totals do not add up: 121 in all, 120 that match, 0 that don't/],
};

for (const [what, [options, gap]] of Object.entries(LIARS)) {
  Deno.test(`makePack: never complete where a service ${what}`, async () => {
    const { bytes, manifest } = await packOf(SEARCH, { fileSets: many, ...options });
    assertMatch(manifest.incomplete.join(" "), gap);
    const { outcome, complete } = await verify(bytes);
    assertEquals([outcome, complete, manifest.complete], ["intact", false, false]);
  });
}

Deno.test("makePack: never complete with an unknown status, a short list or a refusal", async () => {
  const runs: ReportRun[] = makeRuns(4).map((run) => ({ ...run, status: "ARCHIVED" }));
  for (const question of [{ scheduleIds: [101] }, { scheduleIds: [101], on: "2025-02-01" }]) {
    const { bytes, manifest } = await packOf(question, { runs: { 101: runs } });
    assertEquals(manifest.incomplete, ["4 runs with ARCHIVED, whose result is unknown."]);
    // It does not say that nobody received it.
    assertEquals(rowsIn(filesOf(bytes)).length, "on" in question ? 0 : 4);
    const known = await packOf(question, { runs: { 101: runs } }, {
      statuses: { archived: "good" },
    });
    assertEquals(known.manifest.complete, true);
  }
  const question = { scheduleIds: [101, 102, 103, 109], on: "2025-02-01" };
  const unlisted = makeRuns(1).map((run) => ({ ...run, recipients: null }));
  const undated = makeRuns(1).map((run) => ({ ...run, startTime: null }));
  const { bytes, manifest } = await packOf(question, {
    runs: { 101: makeRuns(4), 102: unlisted, 103: undated },
  });
  assertEquals(manifest.incomplete, [
    "The list of schedule 109 was refused with status 404.",
    "Run 1 of schedule 102 does not list all its recipients.",
    "Run 1 of schedule 103 has no start.",
  ]);
  assertEquals(rowsIn(filesOf(bytes)).map(({ scheduleId }) => scheduleId), [101, 102]);
  await assertRejects(() => packOf({ scheduleIds: [109] }, {}), Error, "404");
});

Deno.test("makePack: wrong questions and keys are refused before anything is requested", async () => {
  const refused: [EvidenceQuestion, string, string][] = [
    [{ scheduleIds: [] }, KEY.privateKey, "scheduleIds must be 1 to 1000 ids"],
    [{ scheduleIds: [1], on: "2999-01-01" }, KEY.privateKey, "on must be a day that is not in"],
    [SEARCH, KEY.publicKey, "key must be Ed25519, as PEM that begins with -----BEGIN PRIVATE KEY"],
    [SEARCH, "", "key must be Ed25519"],
  ];
  for (const [question, key, message] of refused) {
    const fail = () => assert(false, "a request was sent");
    await assertRejects(() => packOf(question, { change: fail }, { key }), Error, message);
  }
});
