import { assert } from "@std/assert";
import { LEADING_AWAY } from "../../server/http/leading_away.ts";
import { signIn, withPage } from "../visit.ts";

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
