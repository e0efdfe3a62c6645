import { assertEquals, assertMatch } from "@std/assert";
import { withPage } from "./visit.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] sign in: a wrong token is told, a right one leads on, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
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

  Deno.test(`[browser] sign in: the printed link works once, ${how}`, () =>
    withPage({ javaScriptEnabled }, async ({ page, services }) => {
      const link = `/sign-in?code=${services.signInCodes.issue()}`;
      await page.goto(link);
      assertEquals(await page.getByLabel("Developer token").count(), 0);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("/filesets");
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /was used already/);
    }));
}
