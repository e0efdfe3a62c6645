import { X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
// @ts-types="@types/pg"
import type pg from "pg";
import { DatabaseError } from "./database_error.ts";

const CERTIFICATES = ["sslcert", "sslkey", "sslrootcert"] as const;

/**
 * Where the database is, for the driver. Like libpq, and unlike the driver, it takes
 * `sslrootcert=system` for the system's certificates, and checks the host's name then.
 */
export function readAddress(connectionString: string): pg.PoolConfig {
  const url = URL.parse(connectionString);
  if (!url) return { connectionString };
  // All are read here, because the driver would not name the one that it can't read.
  const [cert, key] = CERTIFICATES.map((name) => readCertificate(name, url.searchParams.get(name)));
  if (url.searchParams.get("sslrootcert") !== "system") return { connectionString };
  for (const name of [...CERTIFICATES, "sslmode"]) url.searchParams.delete(name);
  return { connectionString: url.href, ssl: { ca: getCACertificates("system"), cert, key } };
}

function readCertificate(name: string, path: string | null): string | undefined {
  if (path === null || name === "sslrootcert" && path === "system") return undefined;
  let problem = "can't be read";
  try {
    const text = Deno.readTextFileSync(path);
    problem = "has no certificate (PEM)";
    if (name !== "sslkey") new X509Certificate(text);
    return text;
  } catch {
    const advice = `${path}, which ${name} in DATABASE_URL names, ${problem}`;
    throw new DatabaseError("unusable", "", advice);
  }
}
