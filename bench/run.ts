/**
 * `deno task bench [NAME…] [SHARE]`: runs every benchmark, or those with the given file names,
 * prints the figures, and publishes them in `bench/RESULTS.md` in place of the previous ones. A
 * SHARE below 1, such as 0.1, tries long benchmarks with smaller sizes; nothing is published then.
 */
import { type Bench, keepsTarget, table } from "./bench.ts";
import { publish } from "./results.ts";

const folder = new URL(".", import.meta.url);

async function benchFiles(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (/^((lib|cli|api|store|pages|islands|observer)_\w+|judgement|observer)\.ts$/.test(name)) {
      names.push(name);
    }
  }
  return names.sort();
}

const isShare = (text: string) => Number(text) > 0 && Number(text) <= 1;
const share = Number(Deno.args.find(isShare) ?? 1);
const wanted = Deno.args.filter((text) => !isShare(text));
let missed = 0;
for (const file of await benchFiles()) {
  const name = file.replace(".ts", "");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  const { default: bench } = await import(new URL(file, folder).href) as { default: Bench };
  const figures = await bench(share);
  missed += figures.filter((figure) => !keepsTarget(figure)).length;
  console.log(`\n${table(figures)}\n`);
  if (share === 1) await publish(name, table(figures));
}
if (missed > 0) console.error(`${missed} of the figures miss their target`);
Deno.exit(missed > 0 ? 1 : 0);
