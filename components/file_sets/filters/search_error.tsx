import { type ErrorMessage, ErrorNotice } from "../../ui/error_notice.tsx";
import { ALL_FILE_SETS, fileSetsHref, type FileSetsView } from "../file_sets_view.ts";

/** A search instead of one that is not valid, as a link. */
export interface UsableSearch {
  readonly href: string;
  readonly text: string;
}

/** Why there is no result, and the searches that may have one. */
export function SearchError({ error, usable, view }: {
  readonly error: ErrorMessage;
  /** The search without what is not valid. */
  readonly usable?: UsableSearch;
  readonly view: FileSetsView;
}) {
  // Searching again for what is not valid would not help.
  const way = usable ?? (error.mayRetry && { href: fileSetsHref(view), text: "Try again" });
  return (
    <ErrorNotice error={error}>
      {!error.needsSignIn && (
        <p>
          {way && (
            <>
              <a href={way.href}>{way.text}</a>
              {" · "}
            </>
          )}
          <a href={ALL_FILE_SETS}>Start over</a>
        </p>
      )}
    </ErrorNotice>
  );
}
