/**
 * `deno task bench [NAME…]`: runs every benchmark, or those whose file is named so, prints the
 * figures, and publishes a whole run in `bench/RESULTS.md`.
 */
import { type Bench, type Figure, keepsTarget } from "./bench.ts";

const folder = new URL(".", import.meta.url);

async function benchFiles(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (/^(lib|cli|store|pages|islands)_\w+\.ts$/.test(name)) names.push(name);
  }
  return names.sort();
}

function row({ what, measured, baseline, ratio, target }: Figure): string {
  return `| ${[what, measured, baseline, ratio.toFixed(2), target ?? ""].join(" | ")} |`;
}

function table(figures: readonly Figure[]): string {
  const head = ["| what | measured | baseline | ratio | target |", "|---|---|---|---|---|"];
  return [...head, ...figures.map(row)].join("\n");
}

async function machine(): Promise<string> {
  const cpuInfo = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  const model = /model name\s*: (.*)/.exec(cpuInfo)?.[1] ?? Deno.build.arch;
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `${navigator.hardwareConcurrency} cores of ${model}, ${memory} GiB, Deno ${Deno.version.deno}`;
}

const wanted = Deno.args;
const sections: string[] = [];
let missed = 0;
for (const file of await benchFiles()) {
  const name = file.replace(".ts", "");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  const { default: bench } = await import(new URL(file, folder).href) as { default: Bench };
  const figures = await bench();
  missed += figures.filter((figure) => !keepsTarget(figure)).length;
  console.log(`\n${table(figures)}\n`);
  sections.push(`## ${name}\n\n${table(figures)}`);
}
if (wanted.length === 0) {
  const head = "# Results\n\n" +
    `By \`deno task bench\`, ${new Date().toISOString().slice(0, 10)}, on ${await machine()}. ` +
    "Each ratio is of two figures of the same run.";
  await Deno.writeTextFile(new URL("RESULTS.md", folder), `${[head, ...sections].join("\n\n")}\n`);
}
if (missed > 0) console.error(`${missed} of the figures miss their target`);
Deno.exit(missed > 0 ? 1 : 0);
