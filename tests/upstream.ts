/** An upstream service on a port that behaves as a test wants, and Docket in front of one. */
import { setTimeout as delay } from "node:timers/promises";
import {
  createTestService,
  makeFileSets,
  makeRuns,
  type TestClock,
  type TestService,
  type TestServiceOptions,
} from "../lib/testing/mod.ts";
import { type App, type Person, signIn, withApp } from "./app.ts";
import { pollAll } from "./browser/sample_watches.ts";
import { serveLocally } from "./processes.ts";

/** The only schedule that the service knows. */
export const SCHEDULE = 101;

/** What the service does with a request, whose signal says when the other side is gone. */
export type Behaviour = (request: Request) => Response | Promise<Response>;

/** A service on a port. */
export interface Upstream {
  readonly baseUrl: string;
  /** What is behind the good answers. */
  readonly service: TestService;
  /** Every request that came. */
  readonly requests: readonly { readonly path: string; readonly headers: Headers }[];
  /** What it does from now on; null is answering well. */
  behave(behaviour: Behaviour | null): void;
  /** Closes the port, so that connections are refused, or opens it again. */
  listen(open: boolean): Promise<void>;
}

/** Runs a test against a service, by default with 300 file sets and 600 runs, 100 on a page. */
export async function withUpstream(
  test: (upstream: Upstream) => Promise<void>,
  options: TestServiceOptions = {
    fileSets: makeFileSets(300),
    runs: { [SCHEDULE]: makeRuns(600) },
    quirks: { mostRows: 100 },
  },
): Promise<void> {
  const service = createTestService(options);
  const requests: { path: string; headers: Headers }[] = [];
  let behaviour: Behaviour | null = null;
  const serve = (port?: number) =>
    serveLocally(async (request) => {
      const { pathname, search } = new URL(request.url);
      requests.push({ path: pathname + search, headers: new Headers(request.headers) });
      // Whoever is gone waits for no behaviour.
      const gone = new Promise<Response>((resolve) =>
        request.signal.onabort = () => resolve(new Response())
      );
      const response = await Promise.race([(behaviour ?? service.fetch)(request), gone]);
      // In the time of the test, or Docket finds the service's clock wrong.
      response.headers.set("date", new Date().toUTCString());
      return response;
      // A connection that is reset on purpose is nothing to print.
    }, { port, onError: () => new Response(null, { status: 500 }) });
  let server = serve();
  const { origin, addr: { port } } = server;
  try {
    await test({
      baseUrl: `${origin}/base`,
      service,
      requests,
      behave: (next) => behaviour = next,
      async listen(open) {
        if (open) server = serve(port);
        else await server.shutdown();
      },
    });
  } finally {
    await server.shutdown();
  }
}

/** Runs a test with the built app in front of a service. */
export async function withAppInFront(
  options: TestServiceOptions,
  test: (app: App, service: TestService) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withUpstream(
    ({ baseUrl, service }) =>
      withApp({ SERVICE_BASE_URL: baseUrl, ...env }, (app) => test(app, service)),
    options,
  );
}

/** Runs a test in front of an upstream, with an operator who is signed in, and a poll of schedules. */
export function withOperator(
  test: (
    visit: Person & {
      readonly upstream: Upstream;
      poll(scheduleIds: readonly number[]): Promise<void>;
    },
  ) => Promise<void>,
  options?: TestServiceOptions,
): Promise<void> {
  return withUpstream(
    (upstream) =>
      withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: "observer" }, async (app) => {
        const token = await app.services.tokens!.add("Cem", "operator", new Date());
        const poll = async (scheduleIds: readonly number[]) => {
          await app.services.records!.watches.add(scheduleIds, Date.now());
          await pollAll(app.services);
        };
        await test({ upstream, poll, ...await signIn(app, token) });
      }),
    options,
  );
}

/** Answers with a status, and what else is said. */
export function answering(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Behaviour {
  return () => new Response(body || null, { status, headers });
}

/** Does something else than answering well to whatever is not a first page. */
export function afterFirstPage({ service }: Upstream, behaviour: Behaviour): Behaviour {
  return (request) =>
    /[?&](offset|skip)=[1-9]/.test(request.url) ? behaviour(request) : service.fetch(request);
}

/** Answers with a text piece by piece, as fast as it is read. */
export function inPieces(
  pieces: (request: Request) => Iterable<string> | AsyncIterable<string>,
): Behaviour {
  return (request) =>
    new Response(ReadableStream.from(pieces(request)).pipeThrough(new TextEncoderStream()));
}

/** Says nothing, or goes on saying little for ever, while the clock moves on. */
export function slow(clock: TestClock, stepMs: number, drip?: string): Behaviour {
  // Time is the same for all who wait together: one of them moves it.
  let isMoving = false;
  async function* steps({ signal }: Request) {
    const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
    // Nobody who gave up is waited for, also where the server does not see it.
    while (!signal.aborted && clock.pending > 0) {
      if (isMoving) {
        await wait(5);
        continue;
      }
      isMoving = true;
      const { pending } = clock;
      clock.advance(stepMs);
      // Whose time is over hangs up, and until that is seen no more time may pass.
      await wait(clock.pending < pending ? 10_000 : 5);
      isMoving = false;
      if (drip) yield drip;
    }
  }
  if (drip) return inPieces(steps);
  return async (request) => {
    for await (const _ of steps(request));
    return new Response();
  };
}

/** Sends the beginning of an answer that was to be longer, and hangs up. */
export function breakingOff(body: string): Behaviour {
  return inPieces(function* () {
    yield body;
    throw new Error("Hung up on purpose");
  });
}

/** Answers with a few bytes that unpack to `length` bytes. */
export async function bomb(length: number): Promise<Behaviour> {
  const spaces = new Blob([new Uint8Array(length).fill(32)]).stream();
  const packed = await new Response(spaces.pipeThrough(new CompressionStream("gzip"))).bytes();
  return () => new Response(packed, { headers: { "content-encoding": "gzip" } });
}
