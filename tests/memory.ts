/** How much memory a piece of work takes. */

/** Does work, and gives by how many MiB this file's share of the process grew at most meanwhile. */
export async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = bytesHeld();
  let most = before;
  const look = () => most = Math.max(most, bytesHeld());
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / 1024 / 1024;
}

/** Objects and buffers of this test file alone: others run in the same process. */
function bytesHeld(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}
