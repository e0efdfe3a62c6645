import { assertEquals, assertRejects } from "@std/assert";
import { PlainPage } from "./plain_page.ts";

Deno.test("PlainPage: a form sends what a browser sends, with its button, to where that leads", async () => {
  const html =
    `<main><form id="f" method="post" action="/there"><input type="hidden" name="h" value="1">
      <input type="checkbox" name="c" value="no"><input name="off" disabled value="x">
      <select name="s"><option>one<option selected>two</select>
      <button name="b" value="1">Save</button><button name="b" value="2">Drop</button></form>
     <label>Late <input form="f" name="late" value="z"></label>
     <form action="/search?old=1"><label>Query <input name="q" required></label>
     <button>Search</button></form><button type="button">Nothing</button></main>`;
  const asked: Request[] = [];
  const page = new PlainPage((request) => {
    asked.push(request);
    return Promise.resolve(new Response(html, { headers: { "set-cookie": "a=1; Path=/" } }));
  });
  try {
    await page.open("/begin?old=1");
    for (const name of ["Search", "Nothing", "Nowhere"]) {
      await assertRejects(() => page.press(name));
    }
    assertEquals(asked.length, 1);
    await page.press("Drop");
    const sent = asked.at(-1)!;
    assertEquals([sent.method, page.path], ["POST", "/there"]);
    assertEquals(await sent.text(), "h=1&s=two&b=2&late=z");
    assertEquals(sent.headers.get("cookie"), "a=1");
    page.fill("Query", "a b");
    await page.press("Search");
    assertEquals(page.path, "/search?q=a+b");
  } finally {
    await page.close();
  }
});
