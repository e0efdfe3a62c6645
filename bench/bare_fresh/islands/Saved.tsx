import { SavedViews } from "../../../islands/SavedViews.tsx";

/** The console's own island, in the bare app. */
export function Saved() {
  return <SavedViews />;
}
