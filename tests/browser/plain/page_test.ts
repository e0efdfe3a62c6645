import { assert, assertEquals, assertRejects } from "@std/assert";
import { PlainPage } from "./page.ts";

/** A page of that markup, which answers each request with what it was. */
async function withMarkup(
  html: string,
  test: (page: PlainPage, asked: Request[]) => Promise<void>,
): Promise<void> {
  const asked: Request[] = [];
  const page = new PlainPage((request) => {
    asked.push(request);
    return Promise.resolve(new Response(html, { headers: { "set-cookie": "a=1; Path=/" } }));
  });
  try {
    await page.goto("/begin?old=1");
    await test(page, asked);
  } finally {
    await page.close();
  }
}

Deno.test("PlainPage: a form sends what a browser sends, with its button, to where that leads", () =>
  withMarkup(
    `<form id="f" method="post" action="/there"><input type="hidden" name="h" value="1">
      <input type="checkbox" name="c" value="no"><input name="off" disabled value="x">
      <select name="s"><option>one<option selected>two</select>
      <button name="b" value="1">Save</button><button name="b" value="2">Drop</button></form>
     <label>Late <input form="f" name="late" value="z"></label>
     <form action="/search"><label>Query <input name="q"></label><button>Search</button></form>`,
    async (page, asked) => {
      await page.getByRole("button", { name: "Drop" }).click();
      const sent = asked.at(-1)!;
      assertEquals([sent.method, new URL(sent.url).pathname], ["POST", "/there"]);
      assertEquals(await sent.text(), "h=1&s=two&b=2&late=z");
      assertEquals(sent.headers.get("cookie"), "a=1");
      await page.getByLabel("Late").press("Enter");
      assertEquals(await asked.at(-1)!.text(), "h=1&s=two&b=1&late=z");
      await page.getByLabel("Query").fill("a b");
      await page.getByRole("button", { name: "Search" }).click();
      assertEquals(new URL(page.url()).pathname + new URL(page.url()).search, "/search?q=a+b");
      await page.goBack();
      assertEquals(new URL(page.url()).pathname, "/there");
    },
  ));

Deno.test("PlainPage: what a person could not do or find is an error", () =>
  withMarkup(
    `<details><summary>More</summary><a href="/more">Inside</a></details>
     <p>Twice</p><p>Twice</p><form><input required name="r"><button>Send</button></form>
     <button type="button">Nothing</button>`,
    async (page, asked) => {
      assertEquals(await page.getByRole("link", { name: "Inside" }).count(), 0);
      await assertRejects(() => page.getByText("Inside").click(), Error, "Hidden");
      await assertRejects(() => page.getByText("Twice").waitFor(), Error, "2 of");
      await assertRejects(() => page.getByText("Nowhere").waitFor(), Error, "0 of");
      await assertRejects(() => page.waitForURL("/more"), Error, "/begin");
      for (const name of ["Send", "Nothing"]) {
        await assertRejects(() => page.getByRole("button", { name }).click());
      }
      assertEquals(asked.length, 1);
      await page.getByText("More").click();
      await page.getByRole("link", { name: "Inside" }).click();
      assert(page.url().endsWith("/more"));
    },
  ));
