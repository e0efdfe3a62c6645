/** A world in memory for the command line. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Io } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import {
  createTestService,
  makeFileSets,
  makeRuns,
  type TestServiceOptions,
} from "../../lib/testing/mod.ts";

/** A token that is easy to find when it leaks. */
export const TOKEN = "cli-token-4711";

/** Makes a world with 250 file sets and 120 runs of schedule 101, unless the options say otherwise. */
export function world(
  options: TestServiceOptions = {},
  { env = {}, isTerminal = false, columns, onWrite, onInterrupt, ...replaced }: {
    env?: Record<string, string | undefined>;
    isTerminal?: boolean;
    columns?: number;
    now?: () => number;
    /** Answers instead of the service. */
    fetch?: Io["fetch"];
    /** Lets time pass instead of the texts that are written. */
    every?: Io["every"];
    /** Takes what interrupts the run. */
    onInterrupt?: (interrupt: () => void) => void;
    onWrite?: (out: string) => void;
  } = {},
) {
  const service = createTestService({
    fileSets: makeFileSets(250),
    runs: { 101: makeRuns(120) },
    token: TOKEN,
    ...options,
  });
  const files = new Map<string, string | Uint8Array<ArrayBuffer>>();
  const ticks = new Set<() => void>();
  const all: Record<string, string | undefined> = {
    DOCKET_URL: "https://service.example",
    DOCKET_TOKEN: TOKEN,
    ...env,
  };
  return {
    service,
    files,
    /**
     * Runs the command line with arguments, or with one text of them in which quotes hold blanks. What
     * it wrote is counted from the beginning of this run.
     */
    async docket(...words: string[]) {
      const args = words.length === 1
        ? words[0].match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""))
        : words;
      let out = "";
      let err = "";
      const io: Io = {
        env: (name) => all[name],
        now: Date.now,
        // Time passes with each text that is written.
        every: (_ms, callback) => {
          ticks.add(callback);
          return () => ticks.delete(callback);
        },
        out: {
          isTerminal,
          columns,
          async write(text) {
            out += text;
            for (const tick of ticks) tick();
            await onWrite?.(out);
          },
        },
        err: { isTerminal, write: (text) => Promise.resolve(void (err += text)) },
        async writeFile(path, content) {
          if (typeof content === "string") files.set(path, content);
          else {
            const parts = await Array.fromAsync(content) as BlobPart[];
            files.set(path, await new Blob(parts).bytes());
          }
          for (const tick of ticks) tick();
        },
        async openFile(path) {
          const content = files.get(path);
          if (content === undefined) return undefined;
          const close = () => Promise.resolve();
          return await Promise.resolve(Object.assign(new Blob([content]), { close }));
        },
        onInterrupt: (callback) => {
          onInterrupt?.(callback);
          return () => {};
        },
        fetch: (url, init) => service.fetch(url, init),
        ...replaced,
      };
      const code = await run(args, io);
      assert(!(out + err).includes(TOKEN), "the token was written");
      return { code, out, err };
    },
  };
}

type Said = string | RegExp;

/** A command, its exit code, and what it writes; without the last, no errors or notes. */
export type Step = readonly [words: string, code: number, out: Said, err?: Said];

/** Runs commands one after another, all of which begin so, and compares what becomes of each. */
export async function runSteps(
  docket: (words: string) => ReturnType<ReturnType<typeof world>["docket"]>,
  steps: readonly Step[],
  beginning = "",
): Promise<void> {
  for (const [words, code, ...expected] of steps) {
    const ended = await docket(`${beginning} ${words}`);
    assertEquals(ended.code, code, `${words}: ${ended.err}`);
    for (const [at, written] of [ended.out, ended.err].entries()) {
      const said = expected[at] ?? "";
      if (typeof said === "string") assertEquals(written, said, words);
      else assertMatch(written, said, words);
    }
  }
}
