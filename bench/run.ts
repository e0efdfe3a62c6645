/**
 * `deno task bench [NAME…] [SHARE]`: runs benchmarks, prints their figures, and publishes them in
 * `bench/RESULTS.md`. Without names, it runs all but `gate`, which takes over ten minutes. A SHARE
 * below 1, such as 0.1, tries smaller sizes and publishes nothing.
 */
import { type Bench, table } from "./bench.ts";
import { publish } from "./results.ts";

const NAMES = [
  "pages",
  "markup",
  "api",
  "searches",
  "health",
  "people",
  "evidence",
  "judgement",
  "observer",
  "sizes",
  "first_start",
  "release",
];
const SLOW = ["gate"];

const isShare = (text: string) => Number(text) > 0 && Number(text) <= 1;
const share = Number(Deno.args.find(isShare) ?? 1);
const wanted = Deno.args.filter((text) => !isShare(text));
const unknown = wanted.filter((name) => ![...NAMES, ...SLOW].includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(", ")}; use ${[...NAMES, ...SLOW].join(", ")}`,
  );
  Deno.exit(2);
}
let missed = 0;
for (const name of wanted.length > 0 ? wanted : NAMES) {
  console.error(`${name} …`);
  const { default: bench } = await import(new URL(`${name}.ts`, import.meta.url).href) as {
    default: Bench;
  };
  const figures = await bench(share);
  missed += figures.filter(({ isKept }) => !isKept).length;
  console.log(`\n${table(figures)}\n`);
  if (share === 1) await publish(name, table(figures));
}
if (missed > 0) console.error(`${missed} figures miss their budgets`);
Deno.exit(missed > 0 ? 1 : 0);
