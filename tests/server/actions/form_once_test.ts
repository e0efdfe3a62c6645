import { assertEquals, assertRejects } from "@std/assert";
import { answerFormOnce } from "../../../server/actions/form_once.ts";
import { sentFormsOn } from "../../../server/store/records/sent_forms.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

function formOf(note: string): Request {
  const body = new URLSearchParams({ form_key: "a key", note });
  return new Request("http://localhost/incidents/1", { method: "POST", body });
}

Deno.test("answerFormOnce: two instances do once what both are sent", () =>
  withSqlite(async (database) => {
    const done: string[] = [];
    const send = (instance: string, note: string) =>
      answerFormOnce({ sentForms: sentFormsOn(database) }, formOf(note), () => {
        done.push(`${instance} ${note}`);
        const headers = { location: `/done-by-${instance}`, "set-cookie": "docket_notice=saved" };
        return Promise.resolve(new Response(null, { status: 303, headers }));
      });
    const [first, second] = await Promise.all([send("a", "x"), send("b", "x")]);
    assertEquals([done.length, first.status, second.status], [1, 303, 303]);
    assertEquals(first.headers.get("location"), second.headers.get("location"));
    assertEquals(second.headers.getSetCookie(), ["docket_notice=saved"]);
    await send("a", "y");
    assertEquals(done.length, 2);
  }));

Deno.test("answerFormOnce: what failed or had faults is done when it is sent again", () =>
  withSqlite(async (database) => {
    const send = (work: () => Promise<Response>, waitMs?: number) =>
      answerFormOnce({ sentForms: sentFormsOn(database) }, formOf("x"), work, waitMs);
    await assertRejects(() => send(() => Promise.reject(new Error("no"))), Error, "no");
    const refused = () => Promise.resolve(new Response("", { status: 400 }));
    assertEquals((await send(refused)).status, 400);
    // Nothing is done while the same is being worked on, which is said.
    const answered = await send(async () => {
      const never = () => Promise.reject(new Error("Done twice"));
      await assertRejects(() => send(never, 0), Error, "open the page again");
      return new Response(null, { status: 303, headers: { location: "/" } });
    });
    assertEquals(answered.status, 303);
  }));
