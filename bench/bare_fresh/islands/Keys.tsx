import { Shortcuts } from "../../../islands/Shortcuts.tsx";

/** The console's own island, in the bare app. */
export function Keys() {
  return <Shortcuts />;
}
