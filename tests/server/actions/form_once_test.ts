import { assertEquals, assertRejects } from "@std/assert";
import { answerFormOnce } from "../../../server/actions/form_once.ts";
import { sentFormsOn } from "../../../server/store/records/sent_forms.ts";
import { withSqlite } from "../store/sqlite/with_sqlite.ts";

function formOf(entries: Record<string, string>): Request {
  const body = new URLSearchParams({ form_key: "a key", ...entries });
  return new Request("http://localhost/incidents/1", { method: "POST", body });
}

Deno.test("answerFormOnce: two instances do once what both are sent", () =>
  withSqlite(async (database) => {
    const done: string[] = [];
    const send = (instance: string, entries: Record<string, string>) =>
      answerFormOnce({ sentForms: sentFormsOn(database) }, formOf(entries), () => {
        done.push(`${instance} ${entries.note}`);
        const headers = { location: `/done-by-${instance}`, "set-cookie": "docket_notice=saved" };
        return Promise.resolve(new Response(null, { status: 303, headers }));
      });
    const [first, second] = await Promise.all([send("a", { note: "x" }), send("b", { note: "x" })]);
    assertEquals(done.length, 1);
    assertEquals(first.headers.get("location"), second.headers.get("location"));
    assertEquals(second.headers.getSetCookie(), ["docket_notice=saved"]);
    await send("a", { note: "y" });
    assertEquals(done.length, 2);
  }));

Deno.test("answerFormOnce: what failed or had faults is done when it is sent again", () =>
  withSqlite(async (database) => {
    const send = (work: () => Promise<Response>, waitMs?: number) =>
      answerFormOnce({ sentForms: sentFormsOn(database) }, formOf({ note: "x" }), work, waitMs);
    const done = new Response(null, { status: 303, headers: { location: "/" } });
    await assertRejects(() => send(() => Promise.reject(new Error("no"))), Error, "no");
    const refused = () => Promise.resolve(new Response("", { status: 400 }));
    assertEquals((await send(refused)).status, 400);
    // Nothing is done while the same is being worked on, which is said.
    const end = Promise.withResolvers<Response>();
    const started = Promise.withResolvers<void>();
    const first = send(() => {
      started.resolve();
      return end.promise;
    });
    await started.promise;
    const never = () => Promise.reject(new Error("Done twice"));
    await assertRejects(() => send(never, 0), Error, "open the page again");
    end.resolve(done);
    assertEquals((await first).status, 303);
  }));
