/** The service for tests on a port of its own, and Docket in front of it. */
import {
  createTestService,
  type TestService,
  type TestServiceOptions,
} from "../lib/testing/mod.ts";
import { type App, withApp } from "./app.ts";

/** Runs a test with a service on a port. */
export async function withServiceOnPort(
  options: TestServiceOptions,
  test: (service: TestService, baseUrl: string) => Promise<void>,
): Promise<void> {
  const service = createTestService(options);
  // A connection that is reset on purpose is nothing to print.
  const onError = () => new Response(null, { status: 500 });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError },
    (request) => service.fetch(request),
  );
  try {
    await test(service, `http://127.0.0.1:${server.addr.port}`);
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
  await withServiceOnPort(
    options,
    (service, baseUrl) =>
      withApp({ SERVICE_BASE_URL: baseUrl, ...env }, (app) => test(app, service)),
  );
}
