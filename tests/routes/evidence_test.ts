/** Signed evidence that the server makes, and its key. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { verifyPack } from "../../lib/evidence/verify_pack.ts";
import { createSealing } from "../../server/auth/sealing.ts";
import { loadEvidenceKey } from "../../server/backend/evidence_keys.ts";
import { recordsKeys } from "../../server/config/data_folder.ts";
import { type App, ORIGIN, sessionCookie, signIn, withApp } from "../app.ts";
import { filesOf, textIn } from "../lib/evidence/packs.ts";

async function download(app: App, path: string, accept = "*/*", token?: string): Promise<Response> {
  const cookie = await sessionCookie(app, ORIGIN, token);
  return await app.fetch(new Request(ORIGIN + path, { headers: { cookie, accept } }));
}

async function publicKey(app: App): Promise<string> {
  return await (await app.fetch(new Request(`${ORIGIN}/evidence/key`))).text();
}

Deno.test("[e2e] GET /evidence: the pages lead to intact packs, signed by the server's key", () =>
  withApp({}, async (app) => {
    const { get } = await signIn(app, ORIGIN);
    const search = "/evidence?q=owner:Finance+updated:last-quarter";
    const page = (await get(search.replace("evidence", "filesets"))).text;
    assertStringIncludes(page, ">signed evidence</a>");
    assertStringIncludes((await get("/schedules/101")).text, 'href="/evidence?schedules=101"');
    assertStringIncludes((await get("/schedules/101/recipients")).text, 'action="/evidence"');
    const key = await publicKey(app);
    for (
      const path of [search, "/evidence?schedules=101", "/evidence?schedules=101-103&on=2026-01-01"]
    ) {
      const response = await download(app, path);
      const { status, headers } = response;
      assertEquals([status, headers.get("content-type")], [200, "application/zip"]);
      assertMatch(headers.get("content-disposition")!, /"evidence-\d{4}-\d\d-\d\d\.zip"$/);
      const { outcome, complete, manifest } = await verifyPack(await response.blob(), [key]);
      assertEquals([outcome, complete, manifest!.service], ["intact", true, ORIGIN], path);
    }
  }));

Deno.test("[e2e] GET /evidence: addresses are masked unless asked for, and it says who asked", () =>
  withApp({}, async (app) => {
    const token = (await app.services.store!.tokens.add("Ada", "reader", new Date()))!;
    for (const [more, shown] of [["", false], ["&addresses=shown", true]] as const) {
      const path = `/evidence?schedules=101&on=2026-11-01${more}`;
      const pack = await (await download(app, path, "*/*", token)).blob();
      const { manifest } = await verifyPack(pack, [await publicKey(app)]);
      assertEquals(manifest!.by, { name: "Ada", known: "token" });
      const items = textIn(filesOf(await pack.bytes()), "items.ndjson");
      const addresses = items.match(/(?<="emailAddress":")[^"]+/g)!;
      assertEquals(addresses.every((address) => address.includes("…")), !shown);
    }
  }));

Deno.test("[e2e] GET /evidence: shows an error as a page, before a file begins", () =>
  withApp({}, async (app) => {
    const wrong: [string, number][] = [
      ["/evidence?filter=owner:EQUALS:a", 400],
      ["/evidence?q=owner:NOPE:a", 400],
      ["/evidence?schedules=a", 400],
      ["/evidence?schedules=", 400],
      ["/evidence?schedules=1-100", 400],
      ["/evidence?schedules=101&on=2026-02-30", 400],
      ["/evidence?schedules=101&on=2999-01-01", 400],
      ["/evidence?schedules=999", 404],
    ];
    for (const [path, status] of wrong) {
      const response = await download(app, path);
      assertEquals(response.status, status, path);
      assertMatch((await response.json()).title, /^[A-Z]/);
      const page = await download(app, path, "text/html");
      assertEquals(page.status, status, path);
      assertMatch(await page.text(), /<h1[^>]*>Signed evidence<\/h1>.*role="alert"/s);
    }
    const anonymous = await app.fetch(new Request(`${ORIGIN}/evidence`));
    assertEquals(anonymous.status, 303);
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
