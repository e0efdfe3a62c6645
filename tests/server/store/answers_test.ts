import { assertEquals } from "@std/assert";
import { createAnswers } from "../../../server/store/answers.ts";

Deno.test("createAnswers: keeps what is asked again, and forgets what was asked for longest ago", async () => {
  const made: string[] = [];
  // Each of them takes 10 characters.
  const answers = createAnswers(20);
  const ask = (question: string) =>
    answers(question, () => {
      made.push(question);
      return Promise.resolve({ json: "123456789", count: 1 });
    });
  for (const question of ["a", "a", "b", "b", "a", "c", "c", "a", "b"]) {
    assertEquals((await ask(question)).json, "123456789");
  }
  assertEquals(made, ["a", "a", "b", "b", "c", "c", "b"]);
});

Deno.test("createAnswers: keeps nothing of an answer that is an error, or too long", async () => {
  const answers = createAnswers();
  await answers("a", () => Promise.reject(new Error("Away"))).catch(() => {});
  assertEquals((await answers("a", () => Promise.resolve({ json: "[]", count: 0 }))).json, "[]");
  const long = (digit: string) => () => Promise.resolve({ json: digit.repeat(2 ** 20), count: 1 });
  for (const digit of ["0", "1"]) await answers("long", long(digit));
  assertEquals((await answers("long", long("2"))).json[0], "2");
});

Deno.test("createAnswers: who asks while an answer is made waits for it", async () => {
  const answers = createAnswers();
  const end = Promise.withResolvers<{ json: string; count: number }>();
  let made = 0;
  const ask = (question: string) =>
    answers(question, () => {
      made++;
      return end.promise;
    });
  const asking = [ask("a"), ask("a"), ask("b")];
  end.resolve({ json: "[]", count: 0 });
  assertEquals((await Promise.all(asking)).map(({ json }) => json), ["[]", "[]", "[]"]);
  assertEquals(made, 2);
});
