/** Docket behind a real nginx that ends TLS, with the configuration of docs/nginx.conf. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { HEADER, SEARCH, signInByForm, TOKEN, withApp } from "../app.ts";
import { eventually } from "../eventually.ts";
import { endProcess, freePort, isInstalled, outputOfCommand, serveLocally } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

/** Runs nginx with the documented configuration, its names and places replaced by those of a test. */
async function startNginx(folder: string, places: Readonly<Record<string, string>>) {
  const shown = await Deno.readTextFile(new URL("../../docs/nginx.conf", import.meta.url));
  const site = Object.entries(places).reduce((text, [place, own]) => {
    assert(text.includes(place), `docs/nginx.conf no longer says "${place}"`);
    return text.replaceAll(place, own);
  }, shown);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // What stands around a site: here, a single process with all its files in a folder.
  const whole = `
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
  await Deno.writeTextFile(`${folder}/nginx.conf`, whole);
  return new Deno.Command("nginx", {
    args: ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", "stderr"],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
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

/** The text of an answer, whose status has to be right. */
async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assertEquals(response.status, status, text.slice(0, 400));
  return text;
}

async function proxyTest(folder: string): Promise<void> {
  const [port, tlsPort, plainPort] = [freePort(), freePort(), freePort()];
  const publicOrigin = `https://localhost:${tlsPort}`;
  const logs = ["access", "error"].map((name) => `${folder}/${name}.log`);
  // Each is made when it is needed.
  for (const log of logs) await Deno.writeTextFile(log, "");
  await makeCertificate(folder);
  const nginx = await startNginx(folder, {
    "listen 443 ": `listen 127.0.0.1:${tlsPort} `,
    "listen 80;": `listen 127.0.0.1:${plainPort};`,
    "https://docket.example.com": publicOrigin,
    "server_name docket.example.com;": "server_name localhost;",
    "/etc/ssl/docket.example.com/fullchain.pem": `${folder}/certificate.pem`,
    "/etc/ssl/docket.example.com/privkey.pem": `${folder}/key.pem`,
    "/var/log/nginx/error.log": `${folder}/error.log`,
    "127.0.0.1:8000": `127.0.0.1:${port}`,
  });
  const { error } = console;
  const logged: string[] = [];
  console.error = (line: string) => logged.push(line);
  try {
    await eventually(async () => (await Deno.connect({ port: tlsPort })).close());
    await withApp({ PUBLIC_ORIGIN: publicOrigin, LOG_LEVEL: "debug" }, async (app) => {
      await using server = serveLocally(app.fetch, { port });
      const caCerts = [await Deno.readTextFile(`${folder}/certificate.pem`)];
      using client = Deno.createHttpClient({ caCerts, http1: false, http2: true });
      const send = (path: string, init?: RequestInit) =>
        fetch(new URL(path, publicOrigin), { redirect: "manual", ...init, client });

      // Signing in leads back to the public origin, also with the longest links.
      const next = `/filesets?q=${"x".repeat(1500)}`;
      const browser = { origin: publicOrigin, "sec-fetch-site": "same-origin" };
      const { response, cookie } = await signInByForm(send, { token: TOKEN, next }, browser);
      const location = new URL(response.headers.get("location")!, publicOrigin);
      assertEquals(location.href, publicOrigin + next);
      assertMatch(response.headers.get("set-cookie")!, /^__Host-docket_session=.*; Secure/);
      const page = await send("/filesets", { headers: { cookie } });
      assertMatch(await textOf(page), /5,000 file sets/);
      const plain = await fetch(`http://127.0.0.1:${plainPort}/filesets?limit=5`, {
        redirect: "manual",
      });
      await plain.body?.cancel();
      const secure = `${publicOrigin}/filesets?limit=5`;
      assertEquals([plain.status, plain.headers.get("location")], [301, secure]);

      // nginx names requests, whatever they are named by others. It passes the longest tokens on.
      const headers = { [HEADER]: "t".repeat(2000), "content-type": "application/json" };
      const upload = (bytes: number, more = {}) =>
        send(`${SEARCH}?planted=search`, {
          method: "POST",
          headers: { ...headers, ...more },
          body: new Uint8Array(bytes).fill(32),
        });
      const unknown = await upload(2, { "x-request-id": "my-own" });
      const { requestId } = JSON.parse(await textOf(unknown, 401));
      assertMatch(requestId, /^[0-9a-f]{32}$/);
      assertEquals(unknown.headers.get("x-request-id"), requestId);

      // Docket says why a body is too large. It takes files of 4 MiB; nginx refuses larger ones.
      const own = { [HEADER]: TOKEN };
      assertEquals(JSON.parse(await textOf(await upload(4.5 * 2 ** 20, own), 413)).status, 413);
      assertMatch(await textOf(await upload(6 * 2 ** 20), 413), /nginx/);
      await server.shutdown();
      await textOf(await upload(2), 502);
      // Nobody logs a client's address, and nginx nothing, also of what it reports as an error.
      assert(logged.join().includes(page.headers.get("x-request-id")!));
      assert(!/127\.0\.0\.1|::1/.test(logged.join()), logged.join("\n"));
      assertEquals(logs.map((log) => Deno.readTextFileSync(log)), ["", ""]);
    });
  } finally {
    console.error = error;
    await endProcess(nginx, "SIGTERM");
  }
}

Deno.test({
  name:
    "[e2e] proxy: nginx passes on origins and long tokens, refuses large bodies, and logs nobody",
  ignore: !isInstalled(["nginx", "-v"]) || !isInstalled(["openssl", "version"]),
  fn: () => withFolder(proxyTest),
});
