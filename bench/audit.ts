/**
 * `deno task audit`: Lighthouse on every page. Publishes the scores in `bench/RESULTS.md`, and
 * fails if a page is below its target.
 */
import chromium from "@sparticuz/chromium";
import lighthouse from "lighthouse";
import { chromium as playwright } from "playwright-core";
import { startServing } from "./load.ts";
import { publish } from "./results.ts";
import { signIn } from "./sign_in.ts";

/** The target of each category, of 100. */
const WANTED = { performance: 99, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof WANTED;

const TOKEN = "token-of-the-audit";
const PORT = 9333;

const folder = await Deno.makeTempDir();
const app = await startServing(["main.ts"], { PORT: "0", DATA_DIR: folder, SERVICE_TOKEN: TOKEN });
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ["--no-sandbox", "--headless=shell", "--disable-gpu", `--remote-debugging-port=${PORT}`],
});

const lines: string[] = [];
let below = 0;
try {
  const Cookie = await signIn(app.origin, TOKEN);
  for (const path of await pages()) {
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

const head = "Lighthouse, each page with its own slow telephone; each score is of 100.\n\n" +
  "| page | performance | accessibility | best practices |\n|---|---|---|---|";
await publish("audit", `${head}\n${lines.join("\n")}`);
if (below > 0) console.error(`${below} scores are below what is wanted`);
Deno.exit(below > 0 ? 1 : 0);

/** Every page of the console. */
async function pages(): Promise<string[]> {
  const headers = { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" };
  const search = await fetch(`${app.origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers,
    body: "{}",
  });
  const { fileSets: [fileSet] } = await search.json();
  const history = `${app.origin}/api/content/v1/reportschedules/104/history?limit=1`;
  const [run] = await (await fetch(history, { headers })).json();
  return [
    "/",
    "/incidents",
    "/filesets",
    "/filesets?filter=permission:EQUALS:READ&add=owner&limit=25",
    `/filesets/${fileSet.id}`,
    "/schedules",
    "/schedules?ids=101,102,103,104",
    "/schedules/102",
    "/schedules/101/plan",
    "/schedules/104/recipients",
    "/schedules/105/check",
    "/schedules/104/compare",
    `/schedules/104/runs/${run.id}`,
    "/go?q=10",
    "/preferences",
    "/sign-in",
  ];
}

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
