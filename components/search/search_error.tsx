import { formatIssue } from "../page/format_issue.ts";
import { type ErrorMessage, ErrorNotice } from "../ui/error_notice.tsx";

export interface UsableSearch {
  readonly href: string;
  readonly text: string;
}

/** Why there is no result, and the searches that may have one. */
export function SearchError({ error, usable, href, all }: {
  readonly error: ErrorMessage;
  /** The search that may have been meant, or the one without what is not valid. */
  readonly usable?: UsableSearch;
  readonly href: string;
  readonly all: string;
}) {
  // Searching again for what is not valid would not help.
  const way = usable ?? (error.mayRetry && { href, text: "Try again" });
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
          <a href={all}>Start over</a>
        </p>
      )}
    </ErrorNotice>
  );
}

export function invalidSearch(issues: readonly Parameters<typeof formatIssue>[0][]): ErrorMessage {
  return {
    title: "This search is not valid",
    detail: "Please fix:",
    issues: issues.map(formatIssue),
  };
}
