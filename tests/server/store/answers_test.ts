import { assertEquals } from "@std/assert";
import { createAnswers } from "../../../server/store/answers.ts";

interface Text {
  readonly text: string;
}

const answersOf = (mostCharacters?: number) =>
  createAnswers<Text>(({ text }) => text.length, mostCharacters);

Deno.test("createAnswers: removes the least recently used answer first", async () => {
  const made: string[] = [];
  // Each answer has 10 characters with its question.
  const answers = answersOf(20);
  for (const question of ["a", "a", "b", "a", "c", "a", "b"]) {
    const { text } = await answers(question, () => {
      made.push(question);
      return Promise.resolve({ text: "123456789" });
    });
    assertEquals(text, "123456789");
  }
  assertEquals(made, ["a", "b", "c", "b"]);
});

Deno.test("createAnswers: caches no error, and nothing that is too long", async () => {
  const answers = answersOf();
  await answers("a", () => Promise.reject(new Error("Away"))).catch(() => {});
  assertEquals(await answers("a", () => Promise.resolve({ text: "b" })), { text: "b" });
  const long = (digit: string) => () => Promise.resolve({ text: digit.repeat(2 ** 20) });
  await answers("long", long("0"));
  assertEquals((await answers("long", long("1"))).text[0], "1");
});

Deno.test("createAnswers: callers that ask while an answer is made share it", async () => {
  const answers = answersOf();
  const end = Promise.withResolvers<Text>();
  let made = 0;
  const ask = (question: string) =>
    answers(question, () => {
      made++;
      return end.promise;
    });
  const asking = [ask("a"), ask("a"), ask("b")];
  end.resolve({ text: "c" });
  assertEquals((await Promise.all(asking)).map(({ text }) => text), ["c", "c", "c"]);
  assertEquals(made, 2);
});
