/** Docket and the command line, before a service that repeats tokens and addresses in its faults. */
import { assert, assertEquals } from "@std/assert";
import { makeFileSets } from "../../lib/testing/mod.ts";
import { processIo } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import {
  afterFirstPage,
  answering,
  type Behaviour,
  breakingOff,
  type Upstream,
  withUpstream,
} from "../upstream.ts";
import { type Planted, plantedRuns, plantSecrets } from "./planted.ts";
import { signIn, sweep, visit, withWatchedProgram } from "./sweep.ts";

/** A fault that says what the service was sent; `headers` are good for every status. */
type Echo = (
  said: string,
  headers: Readonly<Record<string, string>>,
  upstream: Upstream,
) => Behaviour;

function withProblem(status: number): Echo {
  return (said, headers) => {
    const errors = [
      { pointer: `/filters/0/${said}`, detail: said },
      { parameter: said, detail: `must not be ${said}` },
    ];
    const problem = { title: said, detail: said, errors, requestId: said, type: said };
    return answering(status, headers, JSON.stringify(problem));
  };
}

/** Ways to misbehave. */
const FAULTS: readonly Echo[] = [
  withProblem(400),
  // A request's id is shown, and may be an address.
  (said, headers) =>
    answering(401, { ...headers, "x-request-id": headers["x-correlation-id"] }, said),
  (said, headers) =>
    answering(307, { ...headers, location: `https://evil.example/?${encodeURIComponent(said)}` }),
  (said) => answering(200, {}, `{"fileSets":[{"id":"${said}`),
  // An entry of a history of another shape.
  (said) => answering(200, {}, JSON.stringify([{ id: said, recipients: said }])),
  // Downloads and walks are cut off after a good page.
  (said, headers, upstream) => afterFirstPage(upstream, answering(500, headers, said)),
  (said) => breakingOff(`[{"id":"${said}`),
];

/** A token for each way to misbehave; they begin as the planted one does, which is searched for. */
function faultyTokens({ token }: Planted): readonly string[] {
  return FAULTS.map((_, at) => `${token}-${at}`);
}

/** Runs a test against such a service, which misbehaves to the bearers of these tokens on command. */
async function withEchoingUpstream(
  planted: Planted,
  test: (upstream: { readonly url: string; misbehave(): void }) => Promise<void>,
): Promise<void> {
  const { addresses, token: good } = planted;
  await withUpstream((upstream) => {
    const misbehave: Behaviour = (request) => {
      const token = request.headers.get("x-service-developer-token") ?? "";
      const fault = FAULTS[Number(token.slice(good.length + 1) || NaN)];
      if (!fault) return upstream.service.fetch(request);
      const said = [token, ...addresses, "Bearer", btoa(token)].join(" ");
      // Where only one word fits.
      const headers = {
        "x-request-id": token,
        "x-correlation-id": addresses[0],
        "set-cookie": `token=${token}`,
        "www-authenticate": `Basic realm="${token}"`,
        "content-disposition": `attachment; filename="${token}"`,
        "retry-after": "0",
      };
      return fault(said, headers, upstream)(request);
    };
    return test({ url: upstream.baseUrl, misbehave: () => upstream.behave(misbehave) });
  }, { fileSets: makeFileSets(150), runs: { 901: plantedRuns(planted) } });
}

/** Runs the command line; all that it writes is taken. */
function docket({ watch }: Planted, args: readonly string[], url: string, token: string) {
  const env: Record<string, string> = { DOCKET_URL: url, DOCKET_TOKEN: token };
  const stream = (belongs: readonly string[]) => ({
    isTerminal: false,
    write: (text: string) => Promise.resolve(watch.saw(args.join(" "), text, belongs)),
  });
  // The rows of a history are what is asked for.
  const out = stream(args[0] === "history" ? ["address"] : []);
  return run(args, { ...processIo(), out, err: stream([]), env: (name) => env[name] });
}

const COMMANDS = [
  ["filesets", "payroll", "--all"],
  ["history", "901", "--all", "--format", "ndjson"],
  ["judge", "901", "--debug"],
];

Deno.test("[e2e] secrets: Docket and the command line leak none when a service repeats them", async () => {
  const planted = plantSecrets();
  const { watch, token, sessionKey } = planted;
  await withEchoingUpstream(planted, ({ url, misbehave }) => {
    const env = { SERVICE_BASE_URL: url, SESSION_KEY: sessionKey };
    return withWatchedProgram(planted, env, async ({ origin, printed }) => {
      await sweep(origin, planted, await signIn(origin, planted, { token }));
      await docket(planted, ["history", "901", "--recipients"], url, token);
      // A person for each fault. So many may not sign in at once from one address.
      const people = [];
      for (const token of faultyTokens(planted)) {
        const person = { ...planted, token };
        people.push({ person, cookie: await signIn(origin, person, { token }) });
      }
      misbehave();
      // All at once, for some faults are waited for.
      await Promise.all(people.map(async ({ person, cookie }) => {
        const visited = visit(origin, person, cookie);
        const codes = COMMANDS.map((args) => docket(planted, args, url, person.token));
        assert((await Promise.all(codes)).some((code) => code !== 0), person.token);
        await visited;
      }));
      for (const kind of ["http", "shape", "network"]) {
        assert(printed().includes(`"reason":"${kind}`), `no fault of ${kind} was logged`);
      }
    });
  });
  await docket(planted, ["filesets", `--token=${token}`], "http://127.0.0.1", token);
  for (const url of [`http://user:${token}@127.0.0.1`, `http://127.0.0.1/?key=${token}`]) {
    assertEquals(await docket(planted, ["filesets"], url, token), 2);
  }
  assertEquals(watch.search(), { leaks: [], belonging: ["address", "session cookie", "words"] });
});
