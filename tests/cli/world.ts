/** A world in memory for the command line. */

import { assert } from "@std/assert";
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
  { env = {}, isTerminal = false, columns, now = Date.now, onWrite, onInterrupt, ...replaced }: {
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
  const files = new Map<string, string>();
  const packs = new Map<string, Uint8Array>();
  const readByOthers = new Set<string>();
  const ticks = new Set<() => void>();
  const all: Record<string, string | undefined> = {
    DOCKET_URL: "https://service.example",
    DOCKET_TOKEN: TOKEN,
    ...env,
  };
  return {
    service,
    files,
    /** Files that are not text. */
    packs,
    /** Files that others than their owner may read. */
    readByOthers,
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
        now,
        // Time passes with each text that is written.
        every: (_ms, callback) => {
          ticks.add(callback);
          return () => ticks.delete(callback);
        },
        out: {
          isTerminal,
          columns,
          write: (text) => {
            out += text;
            for (const tick of ticks) tick();
            onWrite?.(out);
            return Promise.resolve();
          },
        },
        err: {
          isTerminal,
          write: (text) => Promise.resolve(void (err += text)),
        },
        // There is only one folder.
        async writeFile(path, content) {
          if (path.includes("/")) throw Object.assign(new Error(), { code: "ENOENT" });
          if (typeof content === "string") files.set(path, content);
          else {
            const parts = await Array.fromAsync(content) as BlobPart[];
            packs.set(path, await new Blob(parts).bytes());
          }
          for (const tick of ticks) tick();
        },
        async openFile(path) {
          const content = packs.get(path)?.slice() ?? files.get(path);
          if (content === undefined) return undefined;
          const blob = new Blob([content]);
          const isReadByOthers = readByOthers.has(path);
          const close = () => Promise.resolve();
          return await Promise.resolve(Object.assign(blob, { isReadByOthers, close }));
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
