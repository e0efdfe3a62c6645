import type { ComponentProps } from "preact";
import { FileSetSearch } from "../../../islands/FileSetSearch.tsx";

/** The console's own island, in the bare app. */
export function Search(props: ComponentProps<typeof FileSetSearch>) {
  return <FileSetSearch {...props} />;
}
