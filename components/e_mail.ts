/** An e-mail address masked: its first letter and its domain, such as `a…@example.com`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 1) return "…";
  // By code point, so that no letter is cut in half.
  const [first] = address;
  return `${first}…${address.slice(at)}`;
}
