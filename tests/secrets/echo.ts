/** An upstream service that repeats, in all its faults, the token and addresses of recipients. */
import type { Fault, TestServiceOptions } from "../../lib/testing/mod.ts";
import { withUpstream } from "../upstream.ts";
import { type Planted, plantedRuns } from "./planted.ts";

/** A fault that says what the service was sent; `headers` are good for every status. */
type Echo = (said: string, headers: Readonly<Record<string, string>>, offset: number) =>
  | Fault
  | undefined;

function withProblem(status: number): Echo {
  return (said, headers) => {
    const errors = [
      { pointer: `/filters/0/${said}`, detail: said },
      { parameter: said, detail: `must not be ${said}` },
    ];
    const problem = { title: said, detail: said, errors, requestId: said, type: said };
    return { kind: "status", status, headers, body: JSON.stringify(problem) };
  };
}

/** Ways to misbehave. */
const FAULTS: readonly Echo[] = [
  (said, headers) => ({ kind: "status", status: 500, headers, body: `<h1>${said}</h1>` }),
  withProblem(400),
  (said, headers) => {
    // A request's id is shown, and may be an address.
    const withAddress = { ...headers, "x-request-id": headers["x-correlation-id"] };
    return { kind: "status", status: 401, headers: withAddress, body: said };
  },
  withProblem(403),
  (said, headers) => {
    const location = `https://evil.example/?${encodeURIComponent(said)}`;
    return { kind: "status", status: 307, headers: { ...headers, location } };
  },
  (said) => ({ kind: "text", text: `{"fileSets":[{"id":"${said}` }),
  // An entry of a history, or a page of file sets, of another shape.
  (said) => ({ kind: "text", text: JSON.stringify([{ id: said, recipients: said }]) }),
  (said) => ({
    kind: "text",
    text: JSON.stringify({ fileSets: [{ id: 1, name: said }], pageContext: {} }),
  }),
  // Downloads and walks are cut off after a good page.
  (said, headers, offset) =>
    offset > 0 ? { kind: "status", status: 500, headers, body: said } : undefined,
  () => ({ kind: "reset", at: "body" }),
];

/** A token for each way to misbehave; they begin as the planted one does, which is searched for. */
export function faultyTokens({ token }: Planted): readonly string[] {
  return FAULTS.map((_, at) => `${token}-${at}`);
}

/** Runs a test against such a service, which misbehaves to the bearers of these tokens when told to. */
export async function withEchoingUpstream(
  planted: Planted,
  test: (upstream: { readonly url: string; misbehave(): void }) => Promise<void>,
): Promise<void> {
  let isGood = true;
  const { addresses, token: good } = planted;
  const options: TestServiceOptions = {
    fileSets: Array.from({ length: 150 }, (_, at) => ({ id: `planted-${at}`, name: "Planted" })),
    runs: { 901: plantedRuns(planted) },
    faults: ({ headers, offset }) => {
      const token = headers["x-service-developer-token"] ?? "";
      const fault = FAULTS[Number(token.slice(good.length + 1) || NaN)];
      if (!fault || isGood) return undefined;
      const said = `${token} ${addresses.join(" ")} Bearer ${btoa(token)} ` +
        encodeURIComponent(token);
      // Where only one word fits.
      return fault(said, {
        "x-request-id": token,
        "x-correlation-id": addresses[0],
        "set-cookie": `token=${token}`,
        "www-authenticate": `Basic realm="${token}"`,
        "content-disposition": `attachment; filename="${token}"`,
        "retry-after": "0",
      }, offset);
    },
  };
  await withUpstream(
    ({ baseUrl }) => test({ url: baseUrl, misbehave: () => isGood = false }),
    options,
  );
}
