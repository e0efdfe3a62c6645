/** The commands that list file sets and runs: one page, or every row of every page. */
import { type Client, createClient, isDocketError, toCurl } from "../lib/mod.ts";
import type { CommandLine } from "./command.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { listAll } from "./list_all.ts";
import { printEmpty, resultOf, shaped, whatOf } from "./list_rows.ts";
import { type ListWords, readFileSetWords, readHistoryWords } from "./list_words.ts";
import type { Values } from "./options.ts";
import { createWriter } from "./writer.ts";

export function readFileSets(values: Values, words: readonly string[]): CommandLine {
  return listing(readFileSetWords(values, words));
}

export function readHistory(values: Values, words: readonly string[]): CommandLine {
  return listing(readHistoryWords(values, words));
}

function listing(words: ListWords): CommandLine {
  const { limit, skipped, resume, subject } = words;
  return {
    asked: { limit, skipped, resume, ...("body" in subject && { body: subject.body }) },
    async run(io, connect) {
      const options = await connect();
      if (words.all && !words.curl) return await listAll(words, options, io);
      const client = createClient(options);
      if (!words.curl) return await listPage(words, client, io);
      await io.out.write(toCurl(resultOf(words, client).request()) + "\n");
      return ExitCode.done;
    },
  };
}

async function listPage(words: ListWords, client: Client, io: Io): Promise<number> {
  const page = await resultOf(words, client);
  const rows = "fileSets" in page ? page.fileSets : page;
  const writer = createWriter(words, io, false);
  for await (const row of shaped(words, rows)) writer.row(row);
  await writer.end();

  if (rows.length === 0) await printEmpty(words, io);
  const end = words.skipped + rows.length;
  const total = "fileSets" in page ? page.pageContext.total ?? undefined : undefined;
  // A total below the number of rows is wrong.
  const isKnown = total !== undefined && total >= end;
  if (isKnown ? total > end : rows.length > 0 && await mayHaveMore(words, client, end)) {
    const of = isKnown ? ` of ${total.toLocaleString("en")}` : "";
    const more = isKnown ? "" : ", and there are more";
    const what = whatOf(words);
    const counted = rows.length === 1 && !isKnown ? what.slice(0, -1) : what;
    await io.err.write(`${rows.length}${of} ${counted}${more}; --all writes every one\n`);
  }
  return ExitCode.done;
}

/** Whether a page is followed by another row. A short page doesn't prove that it is not. */
async function mayHaveMore(words: ListWords, client: Client, end: number): Promise<boolean> {
  try {
    const next = await resultOf({ ...words, limit: 1, skipped: end }, client);
    return ("fileSets" in next ? next.fileSets : next).length > 0;
  } catch (error) {
    if (!isDocketError(error)) throw error;
    return true;
  }
}
