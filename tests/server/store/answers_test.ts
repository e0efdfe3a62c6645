import { assertEquals } from "@std/assert";
import { createAnswerCache } from "../../../server/store/search/search_file_sets.ts";

interface Text {
  readonly text: string;
}

Deno.test("createAnswerCache: removes the least recently used answer first", async () => {
  const made: string[] = [];
  const answers = createAnswerCache<Text>();
  // Two of such questions fit.
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(1_500_000));
  for (const question of [a, a, b, a, c, a, b]) {
    await answers(question, () => {
      made.push(question[0]);
      return Promise.resolve({ text: "" });
    });
  }
  assertEquals(made, ["a", "b", "c", "b"]);
});

Deno.test("createAnswerCache: caches no error", async () => {
  const answers = createAnswerCache<Text>();
  await answers("a", () => Promise.reject(new Error("Away"))).catch(() => {});
  assertEquals(await answers("a", () => Promise.resolve({ text: "b" })), { text: "b" });
});

Deno.test("createAnswerCache: callers that ask while an answer is made share it", async () => {
  const answers = createAnswerCache<Text>();
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
