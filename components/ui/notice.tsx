import type { ComponentChildren } from "preact";

/** What went wrong, in a form that both the server and an island can show. */
export interface Trouble {
  readonly title: string;
  readonly detail: string;
  /** Each single fault: where, and what is allowed. */
  readonly faults: readonly string[];
  /** What the upstream service itself said, shortened. */
  readonly said?: string;
  /** Names the request in the log. */
  readonly requestId?: string;
  /** Whether signing in again is what helps. */
  readonly needsSignIn?: boolean;
  /** Whether what went wrong may pass by itself. */
  readonly mayPass?: boolean;
  /** Seconds after which the service wants to be asked again; 0 where it did not say. */
  readonly retryAfterSeconds?: number;
}

/** Says what went wrong, and offers what can be done. */
export function TroubleNotice({ trouble, children }: {
  readonly trouble: Trouble;
  /** What can be done about it: links or buttons. */
  readonly children?: ComponentChildren;
}) {
  const { title, detail, faults, said, requestId, needsSignIn } = trouble;
  return (
    <div class="notice bad" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {faults.length > 0 && <ul>{faults.map((fault) => <li key={fault}>{fault}</li>)}</ul>}
      {said && (
        <details>
          <summary>What the service said</summary>
          <pre>{said}</pre>
        </details>
      )}
      {needsSignIn && (
        <p>
          {/* The session is gone, so this page leads to the sign-in and back to here. */}
          <a href="" data-own>Sign in again</a>
        </p>
      )}
      {children}
      {requestId && (
        <p class="help">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
