import { assertEquals } from "@std/assert";
import { signIn, withPage } from "./visit.ts";

const PICTURE = new URL("../../docs/filesets.png", import.meta.url);

/** Width and height of a PNG, from its header. */
function sizeOf(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

Deno.test("[browser] README: its picture is one of the console (`deno task picture` renews it)", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(
      visit,
      "/filesets?filter=name:LIKE:payroll&filter=!permission:EQUALS:READ&sort=updated:DESC&limit=25",
    );
    await page.getByText(/file sets, .* 1 to 25 shown/).waitFor();
    const picture = await page.screenshot();
    if (Deno.env.get("DOCKET_PICTURE") === "renew") await Deno.writeFile(PICTURE, picture);
    assertEquals(sizeOf(await Deno.readFile(PICTURE)), sizeOf(picture));
  }));
