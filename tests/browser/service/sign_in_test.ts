import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LEADING_AWAY } from "../../server/http/leading_away.ts";
import { type PlainVisit, withPlainPage } from "../plain_page.ts";
import { signIn, withPage } from "../visit.ts";

const signedOut = (test: (visit: PlainVisit) => Promise<void>) =>
  withPlainPage(test, { isSignedIn: false });

Deno.test("[e2e] sign in: a wrong token is refused, a right one leads on", () =>
  signedOut(async ({ page, token }) => {
    await page.open("/filesets?limit=25");
    page.fill("Developer token", "wrong");
    await page.press("Sign in");
    assertStringIncludes(page.text, "does not accept this token");
    page.fill("Developer token", token);
    await page.press("Sign in");
    assertEquals(page.path, "/filesets?limit=25");
    await page.press("Sign out");
    assertEquals(page.path, "/sign-in");
    await page.open("/filesets");
    assertEquals(page.url.pathname, "/sign-in");
  }));

Deno.test("[browser] sign in: whatever the link says, it leads to Docket's own pages", () =>
  withPage(
    { javaScriptEnabled: false, tolerated: /status of 404/ },
    async ({ page, origin, token }) => {
      for (const next of LEADING_AWAY) {
        await page.goto(`/sign-in?${new URLSearchParams({ next })}`);
        await page.getByLabel("Developer token").fill(token);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL((url) => url.pathname !== "/sign-in");
        const { origin: reached } = new URL(page.url());
        assert(reached === origin, `${JSON.stringify(next)} led to ${page.url()}`);
      }
    },
  ));

Deno.test("[browser] sign in: pages show times in the browser's zone", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await page.goto("/sign-in");
    await page.waitForFunction(() => document.cookie.includes("docket_zone"));
    await signIn(visit);
    await page.getByText(/Times in New York/).waitFor();
  }));
