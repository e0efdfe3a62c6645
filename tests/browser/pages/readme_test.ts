import { assertEquals } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

const PICTURE = new URL("../../../docs/overview.png", import.meta.url);

/** Width and height of a PNG, from its header. */
function sizeOf(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

Deno.test("[browser] README: its picture is one of the console (`deno task picture` renews it)", () =>
  withPage({ isWatched: true }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/");
    await page.getByRole("heading", { name: "Needs attention 5" }).waitFor();
    const picture = await page.screenshot();
    if (Deno.env.get("DOCKET_PICTURE") === "renew") await Deno.writeFile(PICTURE, picture);
    assertEquals(sizeOf(await Deno.readFile(PICTURE)), sizeOf(picture));
  }));
