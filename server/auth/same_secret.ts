/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return secretMatcher(a)(b);
}

/** Compares texts with a secret, in a time that depends only on the text's length. */
export function secretMatcher(secret: string): (text: string) => boolean {
  const expected = Uint16Array.from(
    { length: secret.length || 1 },
    (_, at) => secret.charCodeAt(at),
  );
  return (text) => {
    let differences = text.length ^ secret.length;
    let place = 0;
    // Goes on after a difference.
    for (let at = 0; at < text.length; at++) {
      differences |= text.charCodeAt(at) ^ expected[place];
      place = place + 1 < expected.length ? place + 1 : 0;
    }
    return differences === 0;
  };
}
