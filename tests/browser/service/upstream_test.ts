import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { createLog } from "../../../server/log/log.ts";
import { answering, type Upstream, withUpstream } from "../../upstream.ts";
import { openSignedIn, violationsOf, type Visit, withPage } from "../visit.ts";

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
