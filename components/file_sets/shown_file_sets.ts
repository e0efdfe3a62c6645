/** What a page of file sets shows. */
import type { FileSetFacts } from "../../lib/file_set_facts.ts";
import type { ParameterIssue } from "../../lib/search_url_read.ts";
import type { FileSet, FileSetPage } from "../../lib/types.ts";
import { faultWords } from "../page/fault_words.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import type { Trouble } from "../ui/notice.tsx";

/** A view of file sets and what came of it. */
export interface Shown {
  readonly view: FileSetsView;
  /** The page of the view; null where it could not be had. */
  readonly page: FileSetPage | null;
  /** Number of all file sets, where the search has conditions and the service says it. */
  readonly all: number | null;
  /** Facts of what the search matches, where they are asked for and could be had. */
  readonly facts: FileSetFacts | null;
  /** The file set that is open beside the table. */
  readonly opened: FileSet | null;
  readonly trouble: Trouble | null;
  /** What was typed into the form and could not be used, by the inputs' names. */
  readonly typed?: Readonly<Record<string, string>>;
}

/** A view of which nothing could be had, and why. */
export function nothingShown(view: FileSetsView, trouble: Trouble): Shown {
  return { view, page: null, all: null, facts: null, opened: null, trouble };
}

/** What is wrong with a link or a form, for people. */
export function unreadable(faults: readonly ParameterIssue[]): Trouble {
  return {
    title: "This can't be searched for",
    detail: "What has to be mended:",
    faults: faults.map(faultWords),
  };
}
