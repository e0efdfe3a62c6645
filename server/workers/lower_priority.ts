import { setPriority } from "node:os";

/** Gives this worker a lower priority than the thread that answers requests. */
export function lowerPriority(): void {
  // Elsewhere, this would slow down the whole process.
  if (Deno.build.os !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // Some programs and hosts don't allow it.
  }
}
