/** The service for tests on a port of its own, and Docket in front of it. */
import {
  createTestService,
  type TestService,
  type TestServiceOptions,
} from "../lib/testing/mod.ts";
import { type App, withApp } from "./app.ts";
import { serveLocally } from "./processes.ts";

/** Runs a test with a service on a port. */
export async function withServiceOnPort(
  options: TestServiceOptions,
  test: (service: TestService, baseUrl: string) => Promise<void>,
): Promise<void> {
  const service = createTestService(options);
  // A connection that is reset on purpose is nothing to print.
  const onError = () => new Response(null, { status: 500 });
  await using server = serveLocally((request) => service.fetch(request), { onError });
  await test(service, server.origin);
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
