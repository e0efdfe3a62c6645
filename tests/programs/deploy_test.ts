import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TOKEN, withServer } from "../app.ts";
import { type Deployment, type Instance, withDeployment } from "../deployed.ts";
import { eventually } from "../eventually.ts";
import { pathOfEachRoute } from "../routes/route_requests.ts";
import { server } from "../server/store/postgres/shared.ts";

const PUBLIC_ORIGIN = "https://docket.example.com";
const SESSION_KEY = "session-key-of-the-tests-".repeat(2);
/** What the platform gives an instance unless told otherwise, in MiB. */
const MEMORY_MIB = 768;
/** How long the platform waits for an instance to end, in ms. */
const GRACE_MS = 5000;
const BANNER = "Sample data in memory.";

/** A browser that keeps one cookie. */
interface Person {
  get(instance: Instance, path: string): Promise<Response>;
}

/** Signs in at an instance, as a browser behind the platform's TLS does. */
async function signIn(instance: Instance): Promise<Person> {
  const response = await fetch(`${instance.origin}/sign-in`, {
    method: "POST",
    headers: { origin: PUBLIC_ORIGIN },
    body: new URLSearchParams({ token: TOKEN }),
    redirect: "manual",
  });
  await response.body?.cancel();
  assertEquals(response.status, 303);
  const [cookie] = response.headers.getSetCookie().map((text) => text.split(";")[0]);
  assertMatch(cookie, /^__Host-docket_session=/);
  return {
    get: (at, path) => fetch(at.origin + path, { headers: { cookie }, redirect: "manual" }),
  };
}

async function pageText(person: Person, instance: Instance, path: string): Promise<string> {
  const response = await person.get(instance, path);
  const html = await response.text();
  assertEquals(response.status, 200, html);
  return html;
}

/** Searches and exports, and checks that both tell of the same rows. */
async function searchAndExport(person: Person, instance: Instance): Promise<void> {
  const search = "q=payroll";
  const html = await pageText(person, instance, `/filesets?${search}`);
  const [, total] = /([\d,]+) of 5,000 file sets/.exec(html)!;
  const csv = await pageText(person, instance, `/filesets/export?${search}&format=csv`);
  const rows = csv.trim().split(/\r?\n/).slice(1);
  assert(rows.length > 0);
  assertEquals(rows.length, Number(total.replace(",", "")));
  assert(rows.every((row) => /payroll/i.test(row)));
  const everything = await pageText(person, instance, "/filesets/export?format=ndjson");
  assertEquals(everything.trim().split("\n").length, 5000);
}

/** The memory that an instance takes, in MiB; nothing if the system doesn't tell it. */
async function assertMemoryFits({ process }: Instance): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const status = await Deno.readTextFile(`/proc/${process.pid}/status`);
  const mebibytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024;
  assert(mebibytes < MEMORY_MIB, `It took ${mebibytes} MiB`);
}

/** Ends an instance as the platform does. */
async function assertEnds({ process }: Instance): Promise<void> {
  const began = performance.now();
  process.kill("SIGINT");
  assertEquals((await process.status).code, 0);
  assert(performance.now() - began < GRACE_MS);
}

async function assertNoBanner(person: Person, instance: Instance): Promise<void> {
  for (const path of ["/sign-in", "/filesets", "/schedules"]) {
    assert(!(await pageText(person, instance, path)).includes(BANNER), path);
  }
}

Deno.test("deploy: with PostgreSQL, two instances share the data and the sessions", async () => {
  const env = {
    PUBLIC_ORIGIN,
    SESSION_KEY,
    SERVICE_TOKEN: TOKEN,
    RECORDS_KEY: SESSION_KEY,
    DATABASE_URL: await server.createSampleDatabase(),
  };
  await withDeployment(async ({ predeploy, start }: Deployment) => {
    assertEquals(await predeploy(env), "The schema in PostgreSQL is up to date\n");
    const first = await start(env);
    const person = await signIn(first);
    await searchAndExport(person, first);
    await assertNoBanner(person, first);
    const second = await start(env);
    await searchAndExport(person, second);
    await assertMemoryFits(first);
    await assertEnds(first);
    await searchAndExport(person, second);
    await assertEnds(second);
  });
});

Deno.test("deploy: with an upstream, a session key is enough", () =>
  withServer({}, ({ origin }) =>
    withDeployment(async ({ predeploy, start }) => {
      const env = { PUBLIC_ORIGIN, SESSION_KEY, SERVICE_BASE_URL: origin };
      assertEquals(await predeploy(env), "Nothing to do: the data is not in PostgreSQL\n");
      const instance = await start(env);
      const person = await signIn(instance);
      await searchAndExport(person, instance);
      await assertNoBanner(person, instance);
      await assertMemoryFits(instance);
      await assertEnds(instance);
    })));

Deno.test("deploy: with neither, sample data is in memory, watched, and every page says so", () =>
  withDeployment(async ({ predeploy, start }) => {
    const env = { PUBLIC_ORIGIN, SESSION_KEY, SERVICE_TOKEN: TOKEN };
    assertEquals(await predeploy(env), "Nothing to do: the data is not in PostgreSQL\n");
    const instance = await start(env);
    const person = await signIn(instance);
    await searchAndExport(person, instance);
    await eventually(async () =>
      assertStringIncludes(await pageText(person, instance, "/"), "Failing for 7 runs")
    );
    const pages: string[] = [];
    for (const path of [...pathOfEachRoute(), "/nowhere"]) {
      const response = await person.get(instance, path);
      const text = await response.text();
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      pages.push(path);
      assert(text.includes(BANNER), path);
    }
    for (const path of ["/sign-in", "/sign-out", "/filesets", "/schedules/101", "/nowhere"]) {
      assert(pages.includes(path), `${path} is no page any more`);
    }
    await assertMemoryFits(instance);
    await assertEnds(instance);
  }));

Deno.test("deploy: missing settings are reported before anything is served", () =>
  withDeployment(async ({ predeploy }) => {
    const refused = await predeploy({}).then(() => null, (error: Error) => error.message);
    assertMatch(refused!, /SESSION_KEY is required on Deno Deploy: make one with/);
    assertMatch(refused!, /SERVICE_TOKEN is required on Deno Deploy: make one with/);
  }));
