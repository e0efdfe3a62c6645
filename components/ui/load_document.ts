/** Loads a page as a document: its policy does not allow scripts to parse markup. */
export function loadDocument(
  address: string,
  { form, signal }: {
    readonly form?: URLSearchParams;
    readonly signal?: AbortSignal;
  } = {},
): Promise<XMLHttpRequest> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    signal?.addEventListener("abort", () => request.abort());
    request.onloadend = () => resolve(request);
    request.open(form ? "POST" : "GET", address);
    request.responseType = "document";
    request.send(form);
  });
}
