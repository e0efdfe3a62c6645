/** The published figures: `bench/RESULTS.md`, a section for each benchmark. */

async function machine(): Promise<string> {
  const cpuInfo = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  const model = /model name\s*: (.*)/.exec(cpuInfo)?.[1] ?? Deno.build.arch;
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `${navigator.hardwareConcurrency} cores of ${model}, ${memory} GiB, Deno ${Deno.version.deno}`;
}

const results = new URL("RESULTS.md", import.meta.url);
const HEAD = `# Results

Written by \`deno task bench\`, \`deno task audit\` and \`deno task soak\`. A ratio is the measured figure
divided by its budget.`;

async function readSections(): Promise<Map<string, string>> {
  const text = await Deno.readTextFile(results).catch(() => "");
  const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith("## "));
  return new Map(sections.map((section) => [/^## (\w+)/.exec(section)![1], section.trim()]));
}

/** Replaces a benchmark's section. */
export async function publish(name: string, body: string): Promise<void> {
  const sections = await readSections();
  const when = `${new Date().toISOString().slice(0, 10)}, ${await machine()}`;
  sections.set(name, `## ${name}\n\n${when}\n\n${body}`);
  const sorted = [...sections].sort(([a], [b]) => a < b ? -1 : 1).map(([, section]) => section);
  await Deno.writeTextFile(results, `${[HEAD, ...sorted].join("\n\n")}\n`);
}
