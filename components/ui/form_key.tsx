/** The key of a form, by which the server does once what it is sent twice. */
export function FormKey() {
  return <input type="hidden" name="form_key" value={crypto.randomUUID()} />;
}
