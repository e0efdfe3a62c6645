import { Buffer } from "node:buffer";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { leafHasher, toHex, TreeHash } from "../../../lib/evidence/tree_hash.ts";
import { LeafTable } from "../../../lib/evidence/leaf_table.ts";

const leafHash = leafHasher();

function sha256(...parts: (Uint8Array | string)[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** RFC 6962, section 2.1, word for word. */
function head(leaves: readonly string[]): Uint8Array {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(new Uint8Array([0]), leaves[0]);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(new Uint8Array([1]), head(leaves.slice(0, k)), head(leaves.slice(k)));
}

function rootOf(leaves: readonly string[]): string {
  const tree = new TreeHash();
  for (const leaf of leaves) tree.add(leafHash(leaf));
  return tree.root();
}

Deno.test("TreeHash: the roots that Certificate Transparency's reference implementation has", () => {
  assertEquals(rootOf([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assertEquals(rootOf([""]), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
});

Deno.test("TreeHash: any number of leaves, as RFC 6962 defines it", () => {
  for (let count = 0; count <= 70; count++) {
    const leaves = Array.from({ length: count }, (_, at) => `leaf ${at} ö`);
    assertEquals(rootOf(leaves), toHex(head(leaves)));
  }
});

async function tableRoot(ids: readonly (string | number)[]): Promise<string> {
  const table = new LeafTable();
  for (const id of ids) table.addRow(table.indexOf(id), 1, leafHash(`row ${id}`));
  return (await table.rootOf(1)).root;
}

Deno.test("LeafTable: by id, whatever the order of reading", async () => {
  const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const texts = fc.uniqueArray(fc.string({ unit: "grapheme" }).filter((id) => id.isWellFormed()));
  await fc.assert(fc.asyncProperty(texts, async (ids) => {
    const sorted = ids.toSorted(byCodePoint);
    assertEquals(await tableRoot(ids), rootOf(sorted.map((id) => `row ${id}`)));
  }));
  await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.maxSafeInteger()), async (ids) => {
    const sorted = ids.map((id) => id + 0).toSorted((a, b) => a - b);
    assertEquals(await tableRoot(ids), rootOf(sorted.map((id) => `row ${id}`)));
  }));
});

Deno.test("LeafTable: a row once in a reading, and the rows of one list, while other work goes on", async () => {
  const table = new LeafTable();
  for (let id = 0; id < 5000; id++) {
    const index = table.indexOf((id * 7919) % 5000);
    assertEquals(table.addRow(index, 1, leafHash("a")), true);
    table.setList(index, id % 3);
  }
  assertEquals(table.addRow(table.indexOf(7), 1, leafHash("a")), false);
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  assertEquals((await table.rootOf(1)).size, 5000);
  clearInterval(counting);
  assert(turns > 10, `other work had only ${turns} turns while the ids were sorted`);
  assertEquals((await table.rootOf(1, 2)).size, 1666);
  const before = await table.rootOf(1);
  assertEquals(table.addRow(table.indexOf(7), 2, leafHash("b")), true);
  assertEquals(await table.rootOf(2), { size: 1, root: rootOf(["b"]) });
  assertNotEquals(await table.rootOf(1), before);
});
