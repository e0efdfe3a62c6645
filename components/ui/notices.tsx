import type { ComponentChildren } from "preact";
import { uncapitalized } from "../../lib/format.ts";
import { When } from "./moment.tsx";

/** What became of what a person just did: it has the focus, so that it is read first. */
export function Outcome({ isBad = false, children }: {
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div
      class={isBad ? "notice bad" : "notice"}
      role={isBad ? "alert" : "status"}
      tabIndex={-1}
      autofocus
    >
      {children}
    </div>
  );
}

export interface ErrorMessage {
  readonly title: string;
  readonly detail: string;
  readonly issues: readonly string[];
  readonly requestId?: string;
  readonly needsSignIn?: boolean;
  readonly mayRetry?: boolean;
  /** Seconds that the service asks to wait; 0 if it does not say. */
  readonly retryAfterSeconds?: number;
}

/** An error, with a link to try again where that may help. */
export function ErrorNotice({ id, error, actions }: {
  readonly id?: string;
  readonly error: ErrorMessage;
  /** Where to go from it, besides trying again. */
  readonly actions?: ComponentChildren;
}) {
  const { title, detail, issues, requestId, needsSignIn, mayRetry } = error;
  // After the session has ended, the page redirects to the sign-in and back.
  const again = needsSignIn ? "Sign in again" : mayRetry && "Try again";
  return (
    <div id={id} class="notice bad" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {issues.length > 0 && <ul>{issues.map((issue) => <li key={issue}>{issue}</li>)}</ul>}
      {(again || actions) && (
        <p>
          {again && <a href="">{again}</a>}
          {again && actions && " · "}
          {actions}
        </p>
      )}
      {requestId && (
        <p class="help">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

/** Words behind a sign that is not spoken, in a tone, such as `✕ Failed`. */
export function Marked({ mark: [sign, tone], look = "status", children }: {
  readonly mark: readonly [sign: string, tone: string, ...unknown[]];
  readonly look?: "status" | "badge" | "flag tier";
  readonly children: ComponentChildren;
}) {
  const Tag = look === "status" ? "span" : "strong";
  return (
    <Tag class={`${look} ${tone}`}>
      <span aria-hidden="true">{sign}</span> {children}
    </Tag>
  );
}

/** Why the service or a schedule can't be read, and when what is shown was read. */
export interface Outage {
  /** What can't be read. */
  readonly of: "the service" | "this schedule";
  readonly failure: string;
  readonly failingSince: number | null;
  readonly polled: number | null;
}

/** What the banner need not say, as it names the service. */
const ANSWERED = "The service answered with ";

export function OutageBanner({ of, failure, failingSince, polled }: Outage) {
  const why = uncapitalized(failure.replace(ANSWERED, ""));
  return (
    <p class="notice bad wide" role="alert">
      Can't read {of}
      {failingSince !== null && [" since ", <When key="since" at={failingSince} />]}
      {/* No parentheses within others. */}
      {failure && (failure.endsWith(")") ? `: ${why}` : ` (${why})`)}.
      {polled !== null &&
        [" Showing what was read ", <When key="read" at={polled} />, "."]}
    </p>
  );
}
