import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { createLog } from "../../../server/log/log.ts";
import { answering, SCHEDULE, type Upstream, withUpstream } from "../../upstream.ts";
import { openSignedIn, violationsOf, type Visit, withPage } from "../visit.ts";

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

Deno.test("[browser] upstream: reports a wrong answer, keeps the search, and recovers", () =>
  withUpstreamPage("/filesets?sort=name", async ({ page, upstream }) => {
    upstream.behave(lying);
    await searchFor(page, "planted sort:name");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assertMatch(await alert.textContent() ?? "", /the answer is not JSON/i);
    assertEquals(await page.getByRole("link", { name: /^Remove: name contains/ }).count(), 1);
    assertMatch(page.url(), /\?q=planted&sort=name$/);
    assertEquals(await violationsOf(page), []);
    upstream.behave(null);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByText(/name contains planted/).first().waitFor();
    await alert.waitFor({ state: "detached" });
    assertMatch(page.url(), /\?q=planted&sort=name$/);
  }));

Deno.test("[browser] upstream: a token rejected during a session leads to the sign-in and back", () =>
  withUpstreamPage("/filesets", async ({ page, token, upstream }) => {
    for (
      const path of ["/filesets", `/schedules/${SCHEDULE}?q=status:success&limit=25`]
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
