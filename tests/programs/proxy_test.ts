/** Docket behind a real nginx that ends TLS, with the configuration of docs/nginx.conf. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { HEADER, SEARCH, signInByForm, withApp } from "../app.ts";
import { eventually } from "../eventually.ts";
import { endProcess, freePort, isInstalled, outputOfCommand, serveLocally } from "../processes.ts";
import { withUpstream } from "../upstream.ts";
import { withFolder } from "../with_folder.ts";

interface Behind {
  /** The origin that browsers see, and what nginx also listens on, without TLS. */
  readonly publicOrigin: string;
  readonly plainOrigin: string;
  /** Requests a path of the proxy. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** What Docket logged so far, and nginx. */
  readonly logged: () => readonly [docket: string, nginx: string];
  /** Ends Docket, while the proxy goes on. */
  stop(): Promise<void>;
}

/** A test with Docket behind nginx, before a service of six file sets. */
function proxyTest(title: string, test: (behind: Behind) => Promise<void>): void {
  const ignore = !isInstalled(["nginx", "-v"]) || !isInstalled(["openssl", "version"]);
  const fn = () =>
    withFolder((folder) =>
      withUpstream(({ baseUrl }) => behindNginx(folder, baseUrl, test), {
        fileSets: makeFileSets(6),
      })
    );
  Deno.test({ name: `[e2e] proxy: ${title}`, ignore, fn });
}

async function behindNginx(
  folder: string,
  serviceUrl: string,
  test: (behind: Behind) => Promise<void>,
): Promise<void> {
  const [port, tlsPort, plainPort] = [freePort(), freePort(), freePort()];
  const publicOrigin = `https://localhost:${tlsPort}`;
  const logs = ["access", "error"].map((name) => `${folder}/${name}.log`);
  // Each is made when it is needed.
  for (const log of logs) await Deno.writeTextFile(log, "");
  await makeCertificate(folder);
  const documented = await documentedConfiguration({
    "listen 443 ": `listen 127.0.0.1:${tlsPort} `,
    "listen 80;": `listen 127.0.0.1:${plainPort};`,
    "https://docket.example.com": publicOrigin,
    "server_name docket.example.com;": "server_name localhost;",
    "/etc/ssl/docket.example.com/fullchain.pem": `${folder}/certificate.pem`,
    "/etc/ssl/docket.example.com/privkey.pem": `${folder}/key.pem`,
    "/var/log/nginx/error.log": `${folder}/error.log`,
    "127.0.0.1:8000": `127.0.0.1:${port}`,
    "client_header_timeout 10s;": "client_header_timeout 1s;",
  });
  await Deno.writeTextFile(`${folder}/nginx.conf`, surrounding(folder, documented));
  const nginx = new Deno.Command("nginx", {
    args: ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", "stderr"],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const { error } = console;
  const lines: string[] = [];
  console.error = (line: string) => lines.push(line);
  try {
    await eventually(async () => (await Deno.connect({ port: tlsPort })).close());
    const env = { PUBLIC_ORIGIN: publicOrigin, SERVICE_BASE_URL: serviceUrl };
    await withApp({ ...env, LOG_LEVEL: "debug" }, async (app) => {
      await using server = serveLocally(app.fetch, { port });
      const caCerts = [await Deno.readTextFile(`${folder}/certificate.pem`)];
      using client = Deno.createHttpClient({ caCerts, http1: false, http2: true });
      await test({
        publicOrigin,
        plainOrigin: `http://127.0.0.1:${plainPort}`,
        send: (path, init) =>
          fetch(new URL(path, publicOrigin), { redirect: "manual", ...init, client }),
        logged: () => [lines.join("\n"), logs.map((log) => Deno.readTextFileSync(log)).join("")],
        stop: () => server.shutdown(),
      });
    });
  } finally {
    console.error = error;
    await endProcess(nginx, "SIGTERM");
  }
}

async function makeCertificate(folder: string): Promise<void> {
  await outputOfCommand("openssl", {
    args: [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" "),
      ..."-subj /CN=localhost -addext subjectAltName=DNS:localhost".split(" "),
      // Without this it would be an authority's, which is no server's.
      ..."-addext basicConstraints=critical,CA:FALSE".split(" "),
      ...["-keyout", `${folder}/key.pem`, "-out", `${folder}/certificate.pem`],
    ],
  });
}

/** The configuration in the document, its names and places replaced by those of a test. */
async function documentedConfiguration(places: Record<string, string>): Promise<string> {
  const shown = await Deno.readTextFile(new URL("../../docs/nginx.conf", import.meta.url));
  return Object.entries(places).reduce((text, [place, own]) => {
    if (!text.includes(place)) throw new Error(`docs/nginx.conf no longer says "${place}"`);
    return text.replaceAll(place, own);
  }, shown);
}

/** What stands around a site in nginx.conf: here, a single process with all its files in a folder. */
function surrounding(folder: string, site: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log error;
    events {}
    http {
      access_log ${folder}/access.log;
      ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n")}
      ${site}
    }`;
}

/** The text of an answer, whose status has to be right. */
async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assertEquals(response.status, status, text.slice(0, 400));
  return text;
}

const LONGEST_TOKEN = "t".repeat(2000);

/** Signs in as a browser does; the cookie. */
async function signIn({ send, publicOrigin }: Behind, next = "/schedules"): Promise<string> {
  const headers = { origin: publicOrigin, "sec-fetch-site": "same-origin" };
  const { response } = await signInByForm(send, { token: LONGEST_TOKEN, next }, headers);
  const location = new URL(response.headers.get("location")!, publicOrigin);
  assertEquals(location.href, publicOrigin + next);
  const [setCookie] = response.headers.getSetCookie();
  assertMatch(setCookie, /^__Host-docket_session=.*; Secure/);
  return setCookie.split(";")[0];
}

proxyTest(
  "takes the longest token, redirects to its origin, and refuses large bodies",
  async (behind) => {
    const { send, publicOrigin, plainOrigin } = behind;
    const cookie = await signIn(behind, `/filesets?q=${"x".repeat(1500)}`);
    assertMatch(await textOf(await send("/filesets", { headers: { cookie } })), /6 file sets/);

    const plain = await fetch(`${plainOrigin}/filesets?limit=5`, { redirect: "manual" });
    await plain.body?.cancel();
    const secure = `${publicOrigin}/filesets?limit=5`;
    assertEquals([plain.status, plain.headers.get("location")], [301, secure]);
    // nginx names requests, whatever they are named by others.
    const response = await send(SEARCH, { method: "POST", headers: { "x-request-id": "my-own" } });
    const { requestId } = JSON.parse(await textOf(response, 401));
    assertMatch(requestId, /^[0-9a-f]{32}$/);
    assertEquals(response.headers.get("x-request-id"), requestId);

    // By Docket with a reason, which takes files of 4 MiB, and larger ones by nginx.
    const headers = { [HEADER]: LONGEST_TOKEN, "content-type": "application/json" };
    const upload = (bytes: number) =>
      send(SEARCH, { method: "POST", headers, body: new Uint8Array(bytes).fill(32) });
    assertEquals(JSON.parse(await textOf(await upload(4.5 * 2 ** 20), 413)).status, 413);
    assertMatch(await textOf(await upload(6 * 2 ** 20), 413), /nginx/);
  },
);

proxyTest("neither nginx nor Docket logs a client's address", async (behind) => {
  const cookie = await signIn(behind);
  const page = await behind.send("/filesets", { headers: { cookie } });
  await page.body?.cancel();
  // Two of what nginx reports as an error.
  const search = `${SEARCH}?planted=search`;
  const body = new Uint8Array(6 * 2 ** 20);
  await textOf(await behind.send(search, { method: "POST", body }), 413);
  await behind.stop();
  await textOf(await behind.send(search), 502);
  const [docket, nginx] = behind.logged();
  assert(docket.includes(page.headers.get("x-request-id")!));
  assert(!/127\.0\.0\.1|::1/.test(docket), docket);
  assertEquals(nginx, "");
});
