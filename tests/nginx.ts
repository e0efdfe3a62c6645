/** A real nginx that ends TLS before a server, with the configuration of docs/nginx.conf. */
import { eventually } from "./eventually.ts";
import { endProcess, freePort, isInstalled, outputOfCommand } from "./processes.ts";

/** Why the tests with nginx can't run here; null when they can. */
export function whyNoNginx(): string | null {
  const missing = [["nginx", "-v"], ["openssl", "version"]].filter((command) =>
    !isInstalled(command)
  );
  return missing.length === 0 ? null : `${missing.map(([name]) => name).join(" and ")} missing`;
}

/** A running proxy. */
export interface Proxy {
  /** The origin that browsers see. */
  readonly publicOrigin: string;
  /** What the proxy also listens on, without TLS. */
  readonly plainOrigin: string;
  /** The certificate that its clients have to trust. */
  readonly certificate: string;
  /** What it wrote into its logs. */
  logged(): string;
}

/** Runs a test with nginx before whatever listens on the port that it gets. */
export async function withNginx(
  test: (proxy: Proxy, port: number) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
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
  try {
    await eventually(async () => (await Deno.connect({ port: tlsPort })).close());
    await test({
      publicOrigin,
      plainOrigin: `http://127.0.0.1:${plainPort}`,
      certificate: await Deno.readTextFile(`${folder}/certificate.pem`),
      logged: () => logs.map((log) => Deno.readTextFileSync(log)).join(""),
    }, port);
  } finally {
    await endProcess(nginx, "SIGTERM");
    await Deno.remove(folder, { recursive: true });
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
  const shown = await Deno.readTextFile(new URL("../docs/nginx.conf", import.meta.url));
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
