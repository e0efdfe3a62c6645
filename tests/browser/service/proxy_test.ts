import { assertEquals } from "@std/assert";
import { whyNoNginx, withNginx } from "../../nginx.ts";
import { signIn, withPage } from "../visit.ts";

Deno.test({
  name: "[browser] proxy: signing in, searching and signing out, over TLS that nginx ends",
  ignore: whyNoNginx() !== null,
  fn: () =>
    withNginx(({ publicOrigin }, port) =>
      withPage(
        // The certificate is the test's own.
        { env: { PUBLIC_ORIGIN: publicOrigin }, ignoreHTTPSErrors: true },
        async (visit) => {
          const { page, fetch } = visit;
          const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, fetch);
          await signIn(visit, `${publicOrigin}/filesets`);
          const cookies = await page.context().cookies();
          const session = cookies.find(({ name }) => name === "__Host-docket_session");
          assertEquals([session?.secure, session?.httpOnly], [true, true]);
          await page.getByLabel("Query").fill("payroll");
          await page.getByRole("button", { name: "Search" }).click();
          await page.getByText(/ of 5,000 file sets, name contains payroll/).first().waitFor();
          assertEquals(new URL(page.url()).origin, publicOrigin);
          await page.getByLabel("Menu").click();
          await page.getByRole("button", { name: "Sign out" }).click();
          await page.getByRole("heading", { name: "Sign in" }).waitFor();
          assertEquals(new URL(page.url()).origin, publicOrigin);
          await page.goto("about:blank");
          await server.shutdown();
        },
      )
    ),
});
