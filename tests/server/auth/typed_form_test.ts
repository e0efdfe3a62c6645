import { assertEquals } from "@std/assert";
import { createSealedCookies } from "../../../server/auth/sealed_cookies.ts";
import { createSealing } from "../../../server/auth/sealing.ts";
import { readTypedForm, saveTypedForm } from "../../../server/auth/typed_form.ts";

const origin = "https://docket.example.com";
const NOW = Date.UTC(2026, 2, 10);

/** Sends a form from a page, and gives the page with what the browser then has. */
async function keep(
  fields: Record<string, string> | URLSearchParams | FormData,
  from = `${origin}/owners?zone=UTC`,
) {
  const cookies = createSealedCookies(createSealing(["k".repeat(32)]));
  const headers = new Headers();
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  const sent = new Request(`${origin}/owners/act`, {
    method: "POST",
    body,
    headers: { referer: from },
  });
  const page = await saveTypedForm(sent, headers, { cookies, origin, now: NOW });
  const cookie = headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  const read = (path: string, now = NOW) => {
    const request = new Request(origin + path, { headers: { cookie } });
    return readTypedForm(request, new URL(request.url), { cookies, origin, now });
  };
  return { page, cookie, read };
}

Deno.test("saveTypedForm: what was typed comes back on its page, for a quarter of an hour, and shows nothing", async () => {
  const { page, cookie, read } = await keep({ note: "ada@example.com & 日本" });
  assertEquals(page, "/owners?zone=UTC");
  // A shorter word may be in a sealed text by chance.
  assertEquals(/example/.test(cookie), false);
  assertEquals((await read(page))!.fields!.get("note"), "ada@example.com & 日本");
  assertEquals(await read("/owners"), null);
  const end = NOW + 15 * 60_000;
  assertEquals([await read(page, end) === null, await read(page, end + 1)], [false, null]);
});

Deno.test("saveTypedForm: a form is no way to another site", async () => {
  assertEquals((await keep({ note: "" }, "https://evil.example/x")).page, "/owners/act");
  assertEquals((await keep({ note: "" }, `${origin}//evil.example`)).page, "/");
});

Deno.test("saveTypedForm: a form that fits into no cookie, or has a file, is only remembered as sent", async () => {
  const random = crypto.getRandomValues(new Uint8Array(6000)).toHex();
  const file = new FormData();
  file.set("file", new File(["x"], "x.csv"));
  for (const fields of [{ note: random }, file]) {
    const { page, cookie, read } = await keep(fields);
    assertEquals(await read(page), { fields: null });
    assertEquals(cookie.length < 4096, true);
  }
  // Many empty fields take little room, and much when they are unpacked.
  const fields = Array.from({ length: 20_000 }, () => ["a", ""]);
  const body = new URLSearchParams(fields).toString();
  const { page: empty, read: readEmpty } = await keep(new URLSearchParams(body));
  assertEquals(await readEmpty(empty), { fields: null });
  // Repeated words take little room.
  const { page, read } = await keep({ note: "word ".repeat(5000) });
  assertEquals((await read(page))!.fields!.get("note")!.length, 25_000);
});
