import { assertEquals, assertRejects } from "@std/assert";
import { answerFormOnce } from "../../../server/actions/form_once.ts";
import { sentFormsOn } from "../../../server/store/records/shared.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

const FORM = { method: "POST", body: new URLSearchParams({ form_key: "a key", note: "x" }) };

Deno.test("answerFormOnce: what failed or had faults is done when it is sent again", () =>
  withSqlite(async (database) => {
    const send = (work: () => Promise<Response>, waitMs?: number) =>
      answerFormOnce(
        { sentForms: sentFormsOn(database) },
        new Request("http://localhost/", FORM),
        work,
        waitMs,
      );
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
