/** Keys that sign packs: Ed25519 (RFC 8032), as PEM. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { parameterError } from "../check.ts";

/** Makes a pair of keys, as `openssl` reads them: PKCS #8 and SPKI. */
export function generateKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/** Reads a key; throws a ConfigurationError if it is another kind of key. */
export function readKey(pem: string, label: "PRIVATE KEY" | "PUBLIC KEY"): KeyObject {
  const begin = `-----BEGIN ${label}-----`;
  const text = pem.trim();
  try {
    const key = label === "PUBLIC KEY" ? createPublicKey(text) : createPrivateKey(text);
    if (text.startsWith(begin) && key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // It is no key at all.
  }
  throw parameterError("key", `Ed25519, as PEM that begins with ${begin}`);
}
