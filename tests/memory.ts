/** How much memory a piece of work takes. */

/** Does work, and gives by how many MiB the process grew at most meanwhile. */
export async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = Deno.memoryUsage().rss;
  let most = before;
  const look = () => most = Math.max(most, Deno.memoryUsage().rss);
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / 1024 / 1024;
}
