/** Makes keys and signs packs: Ed25519 (RFC 8032), with keys as PEM (RFC 7468). */
import { sha256 } from "@noble/hashes/sha2.js";
import { parameterError } from "../check.ts";
import { canonicalJson } from "./canonical_json.ts";
import { fromBase64, toBase64 } from "./people.ts";
import { toHex } from "./tree_hash.ts";

const ALGORITHM = "Ed25519";
/** How PEM labels a key in each format, and what the key is used for. */
const KEYS = { pkcs8: ["PRIVATE KEY", "sign"], spki: ["PUBLIC KEY", "verify"] } as const;

/** A pair of keys as PEM texts. */
export interface KeyPair {
  /** The private key (PKCS #8). Whoever has it can sign. */
  readonly privateKey: string;
  /** The public key (SPKI). Whoever has it can verify. */
  readonly publicKey: string;
}

export interface PackSignature {
  readonly algorithm: "Ed25519";
  /** The key's id: SHA-256 of the 32 bytes of the public key, in hexadecimal digits. */
  readonly keyId: string;
  /** The 32 bytes of the public key in base64, which readers must compare with one they trust. */
  readonly publicKey: string;
  /** The 64 bytes of the signature over the bytes of manifest.json, in base64. */
  readonly signature: string;
}

/** Makes a pair of keys to sign packs with, as PEM texts. */
export async function generateKeyPair(): Promise<KeyPair> {
  const usages = ["sign", "verify"] as const;
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, usages) as CryptoKeyPair;
  const pem = async (format: keyof typeof KEYS, key: CryptoKey) => {
    const [label] = KEYS[format];
    const text = toBase64(new Uint8Array(await crypto.subtle.exportKey(format, key)));
    return `-----BEGIN ${label}-----\n${
      text.replace(/.{64}(?=.)/g, "$&\n")
    }\n-----END ${label}-----\n`;
  };
  return {
    privateKey: await pem("pkcs8", pair.privateKey),
    publicKey: await pem("spki", pair.publicKey),
  };
}

export function keyIdOf(publicKey: Uint8Array): string {
  return toHex(sha256(publicKey));
}

/** Reads the 32 bytes of a public key from PEM; throws a ConfigurationError if it is not Ed25519. */
export async function readPublicKey(pem: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importPem(pem, "spki");
  return new Uint8Array(await crypto.subtle.exportKey("raw", key));
}

/** Returns a function that signs a manifest and returns the text of signature.json. */
export async function signerOf(
  privateKey: string,
): Promise<(manifest: Uint8Array) => Promise<string>> {
  const key = await importPem(privateKey, "pkcs8");
  // Of all formats, only a JWK of the private key contains the public key.
  const { x = "" } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = fromBase64(`${x.replaceAll("-", "+").replaceAll("_", "/")}=`);
  return async (manifest) => {
    const signature = await crypto.subtle.sign(ALGORITHM, key, manifest as BufferSource);
    return canonicalJson({
      algorithm: ALGORITHM,
      keyId: keyIdOf(publicKey),
      publicKey: toBase64(publicKey),
      signature: toBase64(new Uint8Array(signature)),
    });
  };
}

/** Whether a manifest was signed by the key that its signature names. */
export async function verifySignature(
  { algorithm, keyId, publicKey, signature }: PackSignature,
  manifest: Uint8Array,
): Promise<boolean> {
  if (algorithm !== ALGORITHM || keyIdOf(fromBase64(publicKey)) !== keyId) return false;
  const key = await crypto.subtle.importKey("raw", fromBase64(publicKey), ALGORITHM, false, [
    "verify",
  ]);
  const bytes = fromBase64(signature);
  return await crypto.subtle.verify(ALGORITHM, key, bytes, manifest as BufferSource);
}

async function importPem(pem: string, format: keyof typeof KEYS): Promise<CryptoKey> {
  const [label, usage] = KEYS[format];
  const [, text] = new RegExp(`^-----BEGIN ${label}-----([^-]+)-----END ${label}-----\\s*$`)
    .exec(pem.trim()) ?? [];
  try {
    const bytes = fromBase64(text.replace(/\s/g, ""));
    return await crypto.subtle.importKey(format, bytes, ALGORITHM, true, [usage]);
  } catch {
    throw parameterError("key", `Ed25519, as PEM that begins with -----BEGIN ${label}-----`);
  }
}
