import { assertEquals } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

for (const then of ["a row is opened", "the table is sorted"]) {
  Deno.test(`[browser] file sets: a condition that is being typed stays when ${then}`, () =>
    withPage({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/filesets?add=owner&limit=25");
      const value = page.getByLabel("Other value");
      await value.fill("Fin");
      await page.getByRole("checkbox", { name: /^Claims/ }).check();
      if (then === "a row is opened") {
        await page.locator("[data-open]").first().click();
        await page.getByRole("dialog").waitFor();
      } else {
        await page.getByRole("link", { name: "Name", exact: true }).click();
        await page.waitForURL((url) => url.searchParams.has("sort"));
        await page.getByRole("columnheader", { name: "Name" }).and(page.locator("[aria-sort]"))
          .waitFor();
      }
      assertEquals(await value.inputValue(), "Fin");
      assertEquals(await page.getByRole("checkbox", { name: /^Claims/ }).isChecked(), true);
    }));
}
