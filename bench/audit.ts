/** `deno task audit`: publishes Lighthouse's scores of every page; fails below the targets. */
import chromium from "@sparticuz/chromium";
import lighthouse from "lighthouse";
import { chromium as playwright } from "playwright-core";
import { consolePages } from "./console_pages.ts";
import { startApp, TOKEN } from "./load.ts";
import { publish } from "./results.ts";
import { signIn } from "./sign_in.ts";
import { watchSample } from "./watched.ts";

/** The lowest allowed score of each category. */
const WANTED = { performance: 99, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof WANTED;

const PORT = 9333;

const folder = await Deno.makeTempDir();
await watchSample(folder);
const app = await startApp(folder);
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ["--no-sandbox", "--headless=shell", "--disable-gpu", `--remote-debugging-port=${PORT}`],
});

const lines: string[] = [];
let below = 0;
try {
  const Cookie = await signIn(app.origin, TOKEN);
  for (const path of await consolePages(app.origin)) {
    const scores = await audit(path, { Cookie });
    const isBelow = (category: Category) => scores[category] < WANTED[category];
    const shown = (Object.keys(WANTED) as Category[])
      .map((category) => `${scores[category]}${isBelow(category) ? " ✕" : ""}`);
    below += (Object.keys(WANTED) as Category[]).filter(isBelow).length;
    lines.push(`| \`${path}\` | ${shown.join(" | ")} |`);
    console.log(lines.at(-1));
  }
} finally {
  await browser.close();
  await app.stop();
  await Deno.remove(folder, { recursive: true });
}

const head = "Lighthouse's scores of each page on a simulated slow phone, of 100.\n\n" +
  "| page | performance | accessibility | best practices |\n|---|---|---|---|";
await publish("audit", `${head}\n${lines.join("\n")}`);
if (below > 0) console.error(`${below} scores are below their targets`);
Deno.exit(below > 0 ? 1 : 0);

async function audit(
  path: string,
  extraHeaders: Record<string, string>,
): Promise<Record<Category, number>> {
  const result = await lighthouse(app.origin + path, {
    port: PORT,
    output: "json",
    logLevel: "error",
    onlyCategories: Object.keys(WANTED),
    extraHeaders,
  });
  if (!result) throw new Error(`Lighthouse found nothing at ${path}`);
  const { categories, audits } = result.lhr;
  for (const [category, wanted] of Object.entries(WANTED)) {
    if ((categories[category].score ?? 0) * 100 >= wanted) continue;
    for (const { id, weight } of categories[category].auditRefs) {
      const { score, title } = audits[id];
      if (weight > 0 && score !== null && score < 0.95) {
        console.error(`  ${id}: ${score}, ${title}`);
      }
    }
  }
  const scoreOf = (category: Category) => Math.round((categories[category].score ?? 0) * 100);
  return {
    performance: scoreOf("performance"),
    accessibility: scoreOf("accessibility"),
    "best-practices": scoreOf("best-practices"),
  };
}
