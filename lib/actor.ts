/** Who did something, and how that is known. */
export interface Actor {
  readonly name: string;
  /**
   * - `oidc`: the identity provider says so.
   * - `token`: they signed in with the token that was made for this name.
   * - `typed`: somebody who was signed in typed this name, and nobody checked it.
   */
  readonly known: "oidc" | "token" | "typed";
}

/** An actor in words: the name, and a note if it is not certain. */
export function actorText({ name, known }: Actor): string {
  return known === "typed" ? `${name} (not verified)` : name;
}
