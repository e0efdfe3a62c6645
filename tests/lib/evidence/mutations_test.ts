import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { canonicalJson } from "../../../lib/evidence/canonical_json.ts";
import { MAX_BYTES } from "../../../lib/evidence/manifest.ts";
import { blobFile, openZip } from "../../../lib/evidence/zip_files.ts";
import type { EvidenceQuestion } from "../../../lib/evidence/mod.ts";
import { makeFileSets, makeRuns } from "../../../lib/testing/mod.ts";
import {
  type Files,
  filesOf,
  OTHER_KEY,
  packOf,
  put,
  restated,
  signed,
  textIn,
  zipOf,
} from "./packs.ts";
import { HAS_PYTHON, verifyAll, verifyByPython } from "./verifiers.ts";

const SEARCH: EvidenceQuestion = {
  kind: "search",
  body: {
    filters: [{ field: "owner", value: ["ann"] }],
    dateFilters: [{ field: "updated", start: "2025-01-01T00:05:00Z", not: true }],
  },
};
const HISTORIES: EvidenceQuestion = { kind: "recipients", scheduleIds: [1, 2], on: "2025-01-05" };
const SERVICE = { fileSets: makeFileSets(12), runs: { 1: makeRuns(5), 2: makeRuns(3) } };

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

type Random = ReturnType<typeof numbers>;

function linesOf(files: Files): string[] {
  return textIn(files, "items.ndjson").split("\n").slice(0, -1);
}

function withLines(files: Files, lines: readonly string[]): Files {
  return put(files, "items.ndjson", lines.map((line) => `${line}\n`).join(""));
}

/** Changes one value somewhere in a file of JSON. */
function changeJson(files: Files, name: string, random: Random): Files {
  const places: [object, string][] = [];
  const root = JSON.parse(textIn(files, name));
  const visit = (value: unknown) => {
    for (const [key, part] of Object.entries(Object(value))) {
      places.push([value as object, key]);
      if (typeof part === "object") visit(part);
    }
  };
  visit(root);
  const [row, key] = places[random(places.length)];
  const value = Reflect.get(row, key);
  if (typeof value === "number") Reflect.set(row, key, value + 1);
  else if (typeof value === "boolean") Reflect.set(row, key, !value);
  else if (typeof value === "string") Reflect.set(row, key, `${value}x`);
  else Reflect.set(row, key, 0);
  return put(files, name, canonicalJson(root));
}

const NAMES = ["items.ndjson", "people.json", "proof.json", "report.html", "manifest.json"];

/** Ways to forge the rows; whoever signs them again still contradicts the proof. */
const ROWS: ((files: Files, random: Random, other: Files) => Files)[] = [
  (files, random) => withLines(files, linesOf(files).toSpliced(random(linesOf(files).length), 1)),
  (files, random, other) => withLines(files, [...linesOf(files), linesOf(other)[random(5)]]),
  (files, random) => withLines(files, [...linesOf(files), linesOf(files)[random(5)]]),
  (files, random) => {
    const lines = linesOf(files);
    const at = random(lines.length);
    const { list, row } = JSON.parse(lines[at]);
    lines[at] = canonicalJson({ list: list + 1, row });
    return withLines(files, lines);
  },
  (files, random) => {
    const lines = linesOf(files);
    const at = random(lines.length);
    const { list, row } = JSON.parse(lines[at]);
    lines[at] = canonicalJson({ list, row: { ...row, forged: random(100) } });
    return withLines(files, lines);
  },
];

/** Ways to forge a pack without its key. */
const FORGERIES: ((files: Files, random: Random, other: Files) => Files | Promise<Files>)[] = [
  ...ROWS,
  ...ROWS.map((forge): typeof ROWS[number] => (...given) => restated(forge(...given), () => ({}))),
  ...ROWS.map((forge) => (...given: Parameters<typeof forge>) =>
    signed(restated(forge(...given), () => ({})))
  ),
  (files, random) => {
    const lines = linesOf(files);
    const at = random(lines.length - 1);
    return withLines(files, lines.with(at, lines[at + 1]).with(at + 1, lines[at]));
  },
  (files, random) => changeJson(files, "manifest.json", random),
  (files, random) => changeJson(files, "signature.json", random),
  (files, random) => changeJson(files, "proof.json", random),
  (files, random) => changeJson(files, "people.json", random),
  // Signed again by somebody else, and by the same who lies about what is in the pack.
  (files) => signed(files, OTHER_KEY),
  (files, random) => signed(changeJson(files, "manifest.json", random), OTHER_KEY),
  async (files, random) =>
    await signed(restated(changeJson(files, "proof.json", random), () => ({}))),
  async (files, random) =>
    await signed(restated(changeJson(files, "people.json", random), () => ({}))),
  async (files) => await signed(restated(files, ({ complete }) => ({ complete: !complete }))),
  async (files) =>
    await signed(restated(files, ({ readings }) => ({ readings: readings.slice(1) }))),
  async (files) =>
    await signed(restated(files, ({ readings: [first, ...rest] }) => ({
      readings: [{ ...first, drift: { repeated: 1 } }, ...rest],
    }))),
  // Files of two packs mixed.
  (files, random, other) => {
    const name = [...NAMES, "signature.json"][random(6)];
    return { ...files, [name]: other[name] };
  },
  (files, random) => {
    const name = NAMES[random(5)];
    const bytes = files[name].slice();
    bytes[random(bytes.length)] ^= 1 << random(8);
    return { ...files, [name]: bytes };
  },
  (files, random) => {
    const {
      [["items.ndjson", "proof.json", "report.html", "signature.json"][random(4)]]: _,
      ...rest
    } = files;
    return rest;
  },
];

async function packs(): Promise<Files[]> {
  const questions: EvidenceQuestion[] = [SEARCH, HISTORIES, SEARCH];
  const made = await Promise.all(questions.map((question) => packOf(question, SERVICE)));
  return made.map(({ bytes }) => filesOf(bytes));
}

Deno.test("verify: of 1,000 forged packs neither implementation accepts one", async () => {
  const [search, histories, other] = await packs();
  const forged: Uint8Array<ArrayBuffer>[] = [];
  for (let seed = 0; forged.length < 850; seed++) {
    const forge = FORGERIES[seed % FORGERIES.length];
    const files = seed % 2 === 0 ? search : histories;
    forged.push(zipOf(await forge(files, numbers(seed), other)));
  }
  const codes = await verifyAll(forged);
  const accepted = codes.flatMap((code, seed) => code === 0 ? seed % FORGERIES.length : []);
  assertEquals(accepted, [], "ways to forge");
  if (HAS_PYTHON) assertEquals(await verifyByPython(forged), codes);

  // Bytes of the ZIP itself, which is not signed: if it is accepted, its files are the same.
  const whole = zipOf(search);
  const random = numbers(7);
  const flipped = Array.from({ length: 150 }, () => {
    const bytes = whole.slice();
    bytes[random(bytes.length)] ^= 1 << random(8);
    return bytes;
  });
  const verified = await verifyAll(flipped);
  assert(verified.filter((code) => code !== 0).length > 100);
  for (const [at, code] of verified.entries()) {
    if (code !== 0) continue;
    const files = await openZip(blobFile(new Blob([flipped[at]])), MAX_BYTES);
    for (const [name, file] of files) {
      const chunks = await Array.fromAsync(file.bytes());
      assertEquals(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])), search[name]);
    }
  }
});

Deno.test("verify: both implementations accept 250 good packs", async () => {
  const text = fc.string({ unit: "grapheme" });
  const number = fc.double({ min: -(2 ** 53), max: 2 ** 53, noNaN: true });
  const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
  const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(text, scalar));
  const row = fc.dictionary(fc.string({ unit: "grapheme" }), value, { maxKeys: 3 });
  const samples = fc.sample(fc.array(row, { maxLength: 3 }), { numRuns: 250, seed: 5 });
  const good: Uint8Array<ArrayBuffer>[] = [];
  for (const [at, rows] of samples.entries()) {
    const ids = numbers(at);
    const fileSets = rows.map((row, number) => ({
      ...row,
      id: `${ids(100)}.${number}`,
      owner: "ann",
    }));
    const runs = rows.map((row, number) => ({ ...row, id: ids(1000) * 10 + number }));
    const question: EvidenceQuestion = at % 2 === 0
      ? { kind: "search", body: at % 4 === 0 ? {} : SEARCH.body }
      : { kind: "history", scheduleId: 1 };
    const { bytes } = await packOf(question, {
      fileSets: JSON.parse(JSON.stringify(fileSets)),
      runs: { 1: JSON.parse(JSON.stringify(runs)) },
    });
    const { "people.json": _, ...without } = filesOf(bytes);
    good.push(at % 3 === 0 ? zipOf(without) : bytes);
  }
  assertEquals(new Set(await verifyAll(good)), new Set([0]));
  if (HAS_PYTHON) assertEquals(new Set(await verifyByPython(good)), new Set([0]));
});
