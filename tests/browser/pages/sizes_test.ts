import { assert } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

const PUBLIC = new URL("../../../.output/public/", import.meta.url);
const KB = 1024;

/** Size of a built file as it is sent: compressed by gzip. */
async function gzipSize(path: string): Promise<number> {
  const file = await Deno.open(new URL(path.replace(/^\//, ""), PUBLIC));
  const compressed = file.readable.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(compressed).arrayBuffer()).byteLength;
}

Deno.test("[browser] sizes: no page loads over 25 KB of JavaScript or 14 KB of CSS", () =>
  withPage({ isWatched: true }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    const paths = ["/", "/filesets?new-field=owner", "/schedules/101", "/schedules/101/plan"];
    for (const path of paths) {
      const loaded = new Set<string>();
      page.on("request", (request) => loaded.add(new URL(request.url()).pathname));
      await page.goto(path, { waitUntil: "networkidle" });
      page.removeAllListeners("request");
      for (const [ending, most] of [[".js", 25 * KB], [".css", 14 * KB]] as const) {
        const files = [...loaded].filter((name) => name.endsWith(ending));
        assert(files.length > 0, `${path} loaded no ${ending} file`);
        const size = (await Promise.all(files.map(gzipSize))).reduce((sum, each) => sum + each);
        assert(size <= most, `${ending} of ${path}: ${(size / KB).toFixed(1)} KB`);
      }
    }
  }));
