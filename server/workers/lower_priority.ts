import { setPriority } from "node:os";

/** Lets the thread that answers requests run before this worker, however busy the machine is. */
export function lowerPriority(): void {
  // Elsewhere, this would slow down the whole process.
  if (Deno.build.os !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // Some programs and hosts don't allow it.
  }
}
