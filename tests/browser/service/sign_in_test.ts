import { assert, assertEquals, assertMatch } from "@std/assert";
import { LEADING_AWAY } from "../../server/http/leading_away.ts";
import { withPage } from "../visit.ts";
import { WAYS, withPlainPage } from "../plain/ways.ts";

for (const { kind, how, open } of WAYS) {
  Deno.test(`[${kind}] sign in: a wrong token is told, a right one leads on, ${how}`, () =>
    open({}, async (visit) => {
      const { page, token } = visit;
      await page.goto("/filesets?limit=25");
      await page.getByLabel("Developer token").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /does not accept this token/);
      await page.getByLabel("Developer token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("/filesets?limit=25");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("/sign-in");
      await page.goto("/filesets");
      assertEquals(new URL(page.url()).pathname, "/sign-in");
    }));

  Deno.test(`[${kind}] sign in: the printed link works once, ${how}`, () =>
    open({}, async ({ page, services }) => {
      const link = `/sign-in?code=${services.signInCodes.issue()}`;
      await page.goto(link);
      assertEquals(await page.getByLabel("Developer token").count(), 0);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("/");
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /was already used/);
    }));
}

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

Deno.test("[e2e] sign in: who guesses has to wait, who mistypes thrice does not", () =>
  withPlainPage({}, async ({ page, token }) => {
    const attempt = async (text: string) => {
      await page.goto("/sign-in");
      await page.getByLabel("Developer token").fill(text);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    for (const wrong of ["one", "two", "three"]) await attempt(wrong);
    await attempt(token);
    await page.waitForURL("/");
    const alert = page.getByRole("alert");
    for (let failures = 3; failures < 10; failures++) {
      await attempt("wrong");
      assertMatch(await alert.textContent(), /does not accept this token/);
    }
    await attempt(token);
    assertMatch(await alert.textContent(), /Too many failed attempts.* try again in \d+ minutes/);
  }));
