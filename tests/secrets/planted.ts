/** The secrets that the tests of a running Docket plant. */
import { createWatch, type Watch } from "./watch.ts";

/** Secrets by name, and the watch that looks for them. */
export interface Planted {
  readonly watch: Watch;
  /** The developer token of the embedded service, or that of an upstream. */
  readonly token: string;
  /** A token that no service accepts. */
  readonly wrongToken: string;
  readonly sessionKey: string;
  readonly databasePassword: string;
  /** Two addresses of recipients; the second one stands where a name belongs. */
  readonly addresses: readonly [string, string];
  /** What somebody searches for. */
  readonly words: string;
}

/** Plants new secrets. */
export function plantSecrets(): Planted {
  const made = () => crypto.getRandomValues(new Uint8Array(12)).toHex();
  const planted = {
    token: `${made()}-token`,
    wrongToken: `${made()}-wrong-token`,
    sessionKey: `${made()}-session-key-of-the-tests`,
    databasePassword: `${made()}-password`,
    addresses: [`x${made()}@example.com`, `y${made()}@example.com`] as const,
    words: `${made()}words`,
  };
  const watch = createWatch();
  watch.plant("token", planted.token);
  watch.plant("wrong token", planted.wrongToken);
  watch.plant("session key", planted.sessionKey);
  watch.plant("database password", planted.databasePassword);
  for (const address of planted.addresses) watch.plant("address", address);
  watch.plant("words", planted.words);
  return { watch, ...planted };
}

/** Runs as a service answers them, sent to the planted addresses. */
export function plantedRuns({ addresses }: Planted): readonly Record<string, unknown>[] {
  return [1, 2, 3].map((id) => ({
    id,
    reportId: 7,
    reportTitle: "A planted report",
    reportSubject: "Numbers",
    startTime: `2026-01-0${id}T05:00:00.000Z`,
    endTime: `2026-01-0${id}T05:10:00.000Z`,
    automated: true,
    cardCount: 1,
    attachmentCount: 1,
    attachmentSize: 10,
    emailSize: 10 ** id,
    status: id === 2 ? "failure" : "success",
    ownerId: 1,
    recipientCount: 2,
    resourceType: "DASHBOARD",
    resourceId: 3,
    resourceName: "Sales",
    // The interface names no such field; a service may send it nevertheless.
    ownerEmail: addresses[0],
    // The second one is new with each run, so that pages speak of it.
    recipients: [
      { userId: 1, displayName: "Ann", emailAddress: addresses[0] },
      { userId: 10 + id, displayName: addresses[1], emailAddress: addresses[1] },
    ],
  }));
}
