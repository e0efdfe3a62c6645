/** Packs of evidence that the server makes, and its key. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { verifyPack } from "../../lib/evidence/mod.ts";
import { recordsKeys } from "../../server/config/data_folder.ts";
import { createSealing } from "../../server/auth/sealing.ts";
import { currentEvidenceKey, retireEvidenceKey } from "../../server/backend/evidence_keys.ts";
import { type App, ORIGIN, sessionCookie, signIn, withApp } from "../app.ts";

async function download(app: App, path: string, accept = "*/*"): Promise<Response> {
  const cookie = await sessionCookie(app, ORIGIN);
  return await app.fetch(new Request(ORIGIN + path, { headers: { cookie, accept } }));
}

async function publicKey(app: App, query = ""): Promise<string> {
  return await (await app.fetch(new Request(`${ORIGIN}/evidence/key${query}`))).text();
}

Deno.test("[e2e] GET /evidence: the pages lead to packs that hold, signed by the server's key", () =>
  withApp({}, async (app) => {
    const { get } = await signIn(app, ORIGIN);
    const names = {
      "/evidence?filter=owner:EQUALS:Finance&date=updated:last-quarter": "search",
      "/evidence?schedules=101": "history-101",
      "/evidence?schedules=101-103&on=2026-01-01": "recipients-101-103",
    };
    const search = `/filesets?${Object.keys(names)[0].split("?")[1]}`;
    assertStringIncludes((await get(search)).text, ">signed evidence</a>");
    assertStringIncludes((await get("/schedules/101")).text, 'href="/evidence?schedules=101"');
    assertStringIncludes((await get("/people?schedule=101")).text, 'action="/evidence"');
    const key = await publicKey(app);
    for (const [path, name] of Object.entries(names)) {
      const response = await download(app, path);
      assertEquals([response.status, response.headers.get("content-type")], [
        200,
        "application/zip",
      ]);
      const file = response.headers.get("content-disposition")!;
      assertMatch(file, new RegExp(`filename="evidence-${name}-[0-9]{4}-[0-9]{2}-[0-9]{2}.zip"`));
      const { outcome, complete, manifest } = await verifyPack(await response.blob(), [key]);
      assertEquals([outcome, complete], ["holds", true], path);
      assertEquals(manifest!.service, ORIGIN);
      // Nobody was asked which schedules there are, and nothing was removed.
      assertEquals(manifest!.coverage, { schedulesKnown: 0, idsAsked: null, ledgerSince: null });
    }
  }));

Deno.test("[e2e] GET /evidence: a pack says who was signed in, and how that is known", () =>
  withApp({}, async (app) => {
    const token = (await app.services.store!.tokens.add("Ada", "reader", new Date()))!;
    const cookie = await sessionCookie(app, ORIGIN, token);
    const request = new Request(`${ORIGIN}/evidence?schedules=101`, { headers: { cookie } });
    const pack = await (await app.fetch(request)).blob();
    const { manifest } = await verifyPack(pack, [await publicKey(app)]);
    assertEquals(manifest!.by, { name: "Ada", known: "token" });
  }));

Deno.test("[e2e] GET /evidence: shows an error as a page, before a file begins", () =>
  withApp({}, async (app) => {
    const wrong: [string, number][] = [
      ["/evidence?filter=nothing", 400],
      ["/evidence?filter=owner:NOPE:a", 400],
      ["/evidence?schedules=a", 400],
      ["/evidence?schedules=", 400],
      ["/evidence?schedules=1,2", 400],
      ["/evidence?schedules=101&on=2026-02-30", 400],
      ["/evidence?schedules=101&since=soon", 400],
      ["/evidence?schedules=101&on=2999-01-01", 400],
      ["/evidence?schedules=999", 404],
      ["/evidence?schedules=101,999&on=2026-01-01", 404],
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

Deno.test("[e2e] GET /evidence/key: one key for all, sealed in the records, and retired", () =>
  withApp({}, async (app) => {
    const { records, recordsSealing, settings } = app.services;
    const keys = await Promise.all([publicKey(app), publicKey(app), publicKey(app)]);
    assertEquals(new Set(keys).size, 1);
    const { privateKey } = await currentEvidenceKey(records!, recordsSealing!, 0);
    const stored = JSON.stringify(await records!.values.beginningWith("evidence-key"));
    assert(!stored.includes(privateKey.split("\n")[1]), "the private key is in the clear");
    // Another instance with the same RECORDS_KEY, and one with another.
    const same = createSealing(recordsKeys(settings));
    assertEquals((await currentEvidenceKey(records!, same, 0)).privateKey, privateKey);
    const other = createSealing(["x".repeat(64)]);
    const error = await currentEvidenceKey(records!, other, 0).catch((error) => error);
    assertStringIncludes(error.message, "another RECORDS_KEY");

    const before = await (await download(app, "/evidence?schedules=101")).blob();
    assertEquals(await retireEvidenceKey(records!, recordsSealing!, Date.now()), true);
    const next = await publicKey(app);
    assert(next !== keys[0]);
    assertEquals(await publicKey(app, "?retired=1"), keys[0]);
    assertEquals((await verifyPack(before, [next])).outcome, "unknown key");
    assertEquals((await verifyPack(before, [next, keys[0]])).complete, true);
    const missing = await app.fetch(new Request(`${ORIGIN}/evidence/key?retired=2`));
    assertEquals(missing.status, 404);
  }));
