import { assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, untilLive, withPage } from "../visit.ts";

/** A short table, where its length does not matter: each row costs a browser time. */
const FEW = "/filesets?limit=10";

Deno.test("[browser] file sets: an export that can't start is refused, not half a file", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, FEW);
    const statuses = await page.evaluate(() =>
      Promise.all(
        ["format=csv&q=colour:EQUALS:red", "format=xml", "format=csv&limit=x"].map(async (
          query,
        ) => (await fetch(`/filesets/export?${query}`)).status),
      )
    );
    assertEquals(statuses, [400, 400, 400]);
  }));

Deno.test("[browser] file sets: the view can be copied as link, curl and script", () =>
  withPage({}, async (visit) => {
    const { page, origin, token } = visit;
    await openSignedIn(visit, "/filesets?q=it's&sort=-updated&limit=25");
    await page.getByText("Export, columns").click();
    const [link, ...texts] = [
      await page.getByRole("button", { name: "Copy link" }).getAttribute("value"),
      ...await page.locator("pre").allTextContents(),
    ];
    assertEquals(link, `${origin}/filesets?q=it%27s&sort=-updated&limit=25`);
    const curl = new Deno.Command("sh", {
      args: ["-c", `${texts[0]} -s -o /dev/null -w '%{http_code}'`],
      env: { DOCKET_TOKEN: token },
    });
    assertEquals(new TextDecoder().decode((await curl.output()).stdout), "200");
    assertMatch(texts[1]!, /client\.fileSets\.search\(\{[^]*"it's"/);
    assertEquals(texts.join().includes(token), false);
    await page.context().grantPermissions(["clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied").waitFor();
    // Docket's pages may not read the clipboard; a person pastes.
    const search = page.getByLabel("Query");
    await search.fill("");
    await search.press("ControlOrMeta+V");
    assertEquals(await search.inputValue(), link);
  }));

for (
  const [what, path, role, name] of [
    ["a search", `${FEW}&q=permission:READ`, "link", "signed evidence"],
    ["recipients", "/schedules/104/recipients", "button", "Download"],
  ] as const
) {
  Deno.test(`[browser] signed evidence of ${what}: the browser downloads it by itself`, () =>
    withPage({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, path);
      await untilLive(page);
      const saved = page.waitForEvent("download");
      if (role === "link") await page.getByText("Export, columns").click();
      await page.getByRole(role, { name }).click();
      const download = await saved;
      assertMatch(download.suggestedFilename(), /^evidence-[-\d]+\.zip$/);
      assertEquals(await download.failure(), null);
    }));
}
