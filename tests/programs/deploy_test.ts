import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TOKEN, withServer } from "../app.ts";
import { type Instance, withDeployment } from "../deployed.ts";
import { eventually } from "../eventually.ts";
import { pathOfEachRoute } from "../routes/route_requests.ts";
import { server } from "../server/store/postgres/shared.ts";

const PUBLIC_ORIGIN = "https://docket.example.com";
const KEY = "session-key-of-the-tests-".repeat(2);
const NOTHING = "Nothing to do: the data is not in PostgreSQL\n";
/** What the platform gives an instance unless told otherwise, in MiB. */
const MEMORY_MIB = 768;
const BANNER = "Sample data in memory.";

/** Requests a page of an instance. */
type Person = (instance: Instance, path: string) => Promise<Response>;

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
  return (at, path) => fetch(at.origin + path, { headers: { cookie }, redirect: "manual" });
}

async function pageText(person: Person, instance: Instance, path: string): Promise<string> {
  const response = await person(instance, path);
  const html = await response.text();
  assertEquals(response.status, 200, html);
  return html;
}

/** Searches and exports, and checks that both tell of the same rows. */
async function searchAndExport(person: Person, instance: Instance): Promise<void> {
  const html = await pageText(person, instance, "/filesets?q=payroll");
  const [, total] = /([\d,]+) of 5,000 file sets/.exec(html)!;
  const csv = await pageText(person, instance, "/filesets/export?q=payroll&format=csv");
  const rows = csv.trim().split(/\r?\n/).slice(1);
  assertEquals(rows.length, Number(total.replace(",", "")));
}

/** Ends an instance as the platform does; it must not have taken more memory than there is. */
async function assertEnds({ process }: Instance): Promise<void> {
  if (Deno.build.os === "linux") {
    const status = await Deno.readTextFile(`/proc/${process.pid}/status`);
    const mebibytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024;
    assert(mebibytes < MEMORY_MIB, `It took ${mebibytes} MiB`);
  }
  process.kill("SIGINT");
  assertEquals((await process.status).code, 0);
}

Deno.test("deploy: with PostgreSQL, two instances share the data and the sessions", async () => {
  const env = {
    ...{ PUBLIC_ORIGIN, SESSION_KEY: KEY, RECORDS_KEY: KEY, SERVICE_TOKEN: TOKEN },
    DATABASE_URL: await server.createSampleDatabase(),
  };
  await withDeployment(async ({ predeploy, start }) => {
    assertEquals(await predeploy(env), "The schema in PostgreSQL is up to date\n");
    const first = await start(env);
    const person = await signIn(first);
    const second = await start(env);
    await assertEnds(first);
    await searchAndExport(person, second);
    assert(!(await pageText(person, second, "/filesets")).includes(BANNER));
    await assertEnds(second);
  });
});

Deno.test("deploy: with an upstream, a session key is enough", () =>
  withServer({}, ({ origin }) =>
    withDeployment(async ({ predeploy, start }) => {
      const env = { PUBLIC_ORIGIN, SESSION_KEY: KEY, SERVICE_BASE_URL: origin };
      assertEquals(await predeploy(env), NOTHING);
      const instance = await start(env);
      await searchAndExport(await signIn(instance), instance);
    })));

Deno.test("deploy: with neither, sample data is in memory, watched, and every page says so", () =>
  withDeployment(async ({ predeploy, start }) => {
    const env = { PUBLIC_ORIGIN, SESSION_KEY: KEY, SERVICE_TOKEN: TOKEN };
    assertEquals(await predeploy(env), NOTHING);
    const instance = await start(env);
    const person = await signIn(instance);
    await eventually(async () =>
      assertStringIncludes(await pageText(person, instance, "/"), "Failing for 7 runs")
    );
    const pages: string[] = [];
    for (const path of [...pathOfEachRoute(), "/nowhere"]) {
      const response = await person(instance, path);
      const text = await response.text();
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      pages.push(path);
      assert(text.includes(BANNER), path);
    }
    for (const path of ["/sign-in", "/sign-out", "/filesets", "/schedules/101", "/nowhere"]) {
      assert(pages.includes(path), `${path} is no page any more`);
    }
    await assertEnds(instance);
  }));
