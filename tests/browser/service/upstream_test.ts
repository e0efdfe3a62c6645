import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { createTestClock } from "../../../lib/testing/mod.ts";
import { createLog } from "../../../server/log/log.ts";
import {
  afterFirstPage,
  answering,
  SCHEDULE,
  slow,
  type Upstream,
  withUpstream,
} from "../../upstream.ts";
import { openSignedIn, violationsOf, type Visit, withPage } from "../visit.ts";

const busy = answering(429, { "retry-after": "60" });
const refusing = answering(401);
const lying = answering(200, { "content-type": "text/html" }, "<!doctype html><h1>Log in");

/** Runs a test with a signed-in person's page, whose service is an upstream. */
async function withUpstreamPage(
  path: string,
  test: (visit: Visit & { readonly upstream: Upstream }) => Promise<void>,
): Promise<void> {
  const log = createLog({ level: "error", format: "json", write: () => {} });
  await withUpstream((upstream) =>
    withPage(
      { env: { SERVICE_BASE_URL: upstream.baseUrl }, standIns: { log } },
      async (visit) => {
        await openSignedIn(visit, path);
        await test({ ...visit, upstream });
      },
    )
  );
}

async function searchFor(page: Page, name: string): Promise<void> {
  await page.getByLabel("Query").fill(name);
  await page.getByRole("button", { name: "Search" }).click();
}

/** Marks the document, so that a page load would be seen. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => document.body.dataset.sameDocument = "yes");
}

async function assertSameDocument(page: Page): Promise<void> {
  assertEquals(await page.evaluate(() => document.body.dataset.sameDocument), "yes");
}

Deno.test("[browser] upstream: a wrong answer is reported, the search stays, then all is well", () =>
  withUpstreamPage("/filesets?sort=name", async ({ page, upstream }) => {
    upstream.behave(lying);
    await searchFor(page, "planted sort:name");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assertMatch(await alert.textContent() ?? "", /the answer is not JSON/i);
    assertEquals(await page.getByRole("link", { name: /^Remove: name contains/ }).count(), 1);
    assertMatch(page.url(), /\?q=planted\+sort:name$/);
    assertEquals(await violationsOf(page), []);
    upstream.behave(null);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByText(/name contains planted/).first().waitFor();
    await alert.waitFor({ state: "detached" });
    assertMatch(page.url(), /\?q=planted\+sort:name$/);
  }));

Deno.test("[browser] upstream: a token refused amid a session leads to the sign-in and back", () =>
  withUpstreamPage("/filesets", async ({ page, token, upstream }) => {
    for (
      const path of ["/filesets", `/schedules/${SCHEDULE}?filter=status:EQUALS:success&limit=25`]
    ) {
      await page.goto(path);
      upstream.behave(refusing);
      if (path === "/filesets") await searchFor(page, "planted");
      else await page.reload();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assertMatch(await alert.textContent() ?? "", /You are no longer signed in/);
      const view = page.url();
      const cookies = await page.context().cookies();
      assertEquals(cookies.filter(({ name }) => name.includes("session")), []);
      upstream.behave(null);
      await page.getByRole("link", { name: "Sign in again" }).click();
      await page.waitForURL((url) => url.pathname === "/sign-in");
      await page.getByLabel("Developer token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(view);
      await page.getByRole("status").filter({ hasText: /file set|runs/ }).waitFor();
      assertEquals(await alert.count(), 0);
    }
  }));

Deno.test("[browser] upstream: a slow search says that it is on its way, and is given up in time", async () => {
  const clock = createTestClock();
  const log = createLog({ level: "error", format: "json", write: () => {} });
  await withUpstream((upstream) =>
    withPage({
      env: { SERVICE_BASE_URL: upstream.baseUrl },
      standIns: { log, runtime: clock.runtime },
    }, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/filesets?limit=25");
      await page.getByText("300 file sets, 1 to 25 shown").waitFor();
      await mark(page);
      const held = Promise.withResolvers<void>();
      upstream.behave(async (asked, connection) => {
        await held.promise;
        await answering(200, {}, JSON.stringify({ fileSets: [], pageContext: { total: 0 } }))(
          asked,
          connection,
        );
      });
      await searchFor(page, "planted");
      await page.getByText("Searching…").waitFor();
      // The rows that were there stay readable.
      assertEquals(await page.getByRole("row").count(), 26);
      held.resolve();
      await page.getByText("No file sets match.").waitFor();

      upstream.behave(slow(clock, 2500));
      await searchFor(page, "other");
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assertMatch(await alert.textContent() ?? "", /took too long to respond/);
      upstream.behave(null);
      await page.getByRole("link", { name: "Try again" }).click();
      await alert.waitFor({ state: "detached" });
      await page.getByText(/name contains other/).first().waitFor();
      await assertSameDocument(page);
    })
  );
});

Deno.test("[browser] upstream: an export keeps the pause that the service asks for, and is whole", () =>
  withUpstreamPage("/filesets", async ({ page, upstream }) => {
    await page.clock.install({ time: Date.now() });
    await page.reload();
    const refused = Promise.withResolvers<void>();
    upstream.behave(afterFirstPage(upstream, async (asked, connection) => {
      await busy(asked, connection);
      refused.resolve();
    }));
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "NDJSON" }).click();
    await refused.promise;
    await page.getByText(/^100 rows; service busy, resuming in \d+ s/).waitFor();
    upstream.behave(null);
    await page.clock.fastForward(61_000);
    const path = await (await download).path();
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assertEquals(new Set(lines.map((line) => JSON.parse(line).id)).size, 300);
    await page.getByText(/^Saved all 300 rows to /).waitFor();
    assert(lines.length === 300);
  }));

Deno.test("[browser] upstream: a search that fails is tried again by the server alone", () =>
  withUpstreamPage("/filesets", async ({ page, upstream }) => {
    const count = upstream.asked.length;
    let calls = 0;
    page.on("request", (request) => {
      if (request.url().includes("/filesets?")) calls++;
    });
    upstream.behave(answering(500));
    await searchFor(page, "planted");
    await page.getByRole("alert").waitFor();
    // The form, and the link that it is redirected to.
    assertEquals(calls, 2);
    assert(upstream.asked.length - count <= 2 * 3, String(upstream.asked.length - count));
    assert(upstream.asked.length - count >= 3);
  }));
