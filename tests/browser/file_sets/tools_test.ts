import { assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, untilLive, withPage } from "../visit.ts";

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

Deno.test("[browser] signed evidence: a link and a button download it", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    const download = async (press: () => Promise<void>) => {
      await untilLive(page);
      const saved = page.waitForEvent("download");
      await press();
      assertMatch((await saved).suggestedFilename(), /^evidence-[-\d]+\.zip$/);
      assertEquals(await (await saved).failure(), null);
    };
    await openSignedIn(visit, "/filesets?q=permission:READ&limit=10");
    await page.getByText("Export, columns").click();
    await download(() => page.getByRole("link", { name: "signed evidence" }).click());
    await page.goto("/schedules/104/recipients");
    await download(() => page.getByRole("button", { name: "Download" }).click());
  }));
