/** Signed evidence that the server makes, and its key. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { verifyPack } from "../../lib/evidence/verify_pack.ts";
import { createSealing } from "../../server/auth/sealing.ts";
import { loadEvidenceKey } from "../../server/backend/evidence_keys.ts";
import { recordsKeys } from "../../server/config/data_folder.ts";
import { type App, ORIGIN, signIn, withApp, withPerson } from "../app.ts";
import { filesOf, textIn } from "../lib/evidence/packs.ts";

async function publicKey(app: App): Promise<string> {
  return await (await app.fetch(new Request(`${ORIGIN}/evidence/key`))).text();
}

Deno.test("[e2e] GET /evidence: intact packs, signed by the server's key, under the reader's name", () =>
  withApp({}, async (app) => {
    const token = (await app.services.store!.tokens.add("Ada", "reader", new Date()))!;
    const { fetch } = await signIn(app, token);
    const key = await publicKey(app);
    for (
      const path of [
        "/evidence?q=owner:Finance+updated:last-quarter",
        "/evidence?schedules=101",
        "/evidence?schedules=101-103&on=2026-01-01",
        "/evidence?schedules=101&on=2026-11-01&addresses=shown",
      ]
    ) {
      const response = await fetch(path);
      const { status, headers } = response;
      const pack = await response.blob();
      assertEquals([status, headers.get("content-type")], [200, "application/zip"]);
      assertMatch(headers.get("content-disposition")!, /"evidence-2026-11-11\.zip"$/);
      const { outcome, complete, manifest } = await verifyPack(pack, [key]);
      assertEquals([outcome, complete, manifest!.service], ["intact", true, ORIGIN], path);
      assertEquals(manifest!.by, { name: "Ada", known: "token" });
      const items = textIn(filesOf(await pack.bytes()), "items.ndjson");
      const addresses = items.match(/(?<="emailAddress":")[^"]+/g) ?? [];
      const shown = addresses.filter((address) => !address.includes("…"));
      assertEquals(shown.length > 0, path.endsWith("shown"), path);
    }
  }));

Deno.test("[e2e] GET /evidence: shows an error as a page, before a file begins", () =>
  withPerson(async ({ fetch }) => {
    const wrong = {
      "q=owner:NOPE:a": 400,
      "schedules=": 400,
      "schedules=1-100": 400,
      "schedules=101&on=2026-02-30": 400,
      "schedules=101&on=2999-01-01": 400,
      "schedules=999": 404,
    };
    for (const [query, status] of Object.entries(wrong)) {
      const ask = (accept: string) => fetch(`/evidence?${query}`, { headers: { accept } });
      const problem = await ask("*/*");
      assertEquals([problem.status, (await problem.json()).status], [status, status], query);
      const page = await ask("text/html");
      assertMatch(await page.text(), /<h1[^>]*>Signed evidence<\/h1>.*role="alert"/s);
    }
  }));

Deno.test("[e2e] GET /evidence/key: one key for all, sealed in the records", () =>
  withApp({}, async (app) => {
    const { records, recordsSealing, settings } = app.services;
    const keys = await Promise.all([publicKey(app), publicKey(app), publicKey(app)]);
    assertEquals(new Set(keys).size, 1);
    assertMatch(keys[0], /^-----BEGIN PUBLIC KEY-----\n/);
    const privateKey = await (await loadEvidenceKey(records!, recordsSealing!)).unseal();
    const stored = (await records!.service.get()).evidenceKey!;
    assert(!stored.includes(privateKey.split("\n")[1]), "the private key is in the clear");
    // Another instance with the same RECORDS_KEY, and one with another.
    const same = await loadEvidenceKey(records!, createSealing(recordsKeys(settings)));
    assertEquals(await same.unseal(), privateKey);
    const other = await loadEvidenceKey(records!, createSealing(["x".repeat(64)]));
    assertEquals(other.publicKey, keys[0]);
    const error = await other.unseal().catch((error) => error);
    assertStringIncludes(error.message, "another RECORDS_KEY");
  }));
