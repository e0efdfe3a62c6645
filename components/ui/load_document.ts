/**
 * Loads a page. The page's policy does not allow scripts to parse markup, so the browser is asked for
 * a document.
 */
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
