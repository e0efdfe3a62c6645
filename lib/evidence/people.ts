/** Replaces people in rows by salted digests: only somebody with the salt can show who is meant. */
import { sha256 } from "@noble/hashes/sha2.js";
import { maskAddresses } from "../runs/recipients.ts";
import { canonicalJson } from "./canonical_json.ts";
import { toHex } from "./tree_hash.ts";

/** What replaces a person in a row. */
export interface Commitment {
  /** SHA-256 of the salt and the value's canonical JSON, in hexadecimal digits. */
  readonly person: string;
}

/** What shows who is meant by a commitment. */
export interface Opening {
  /** 16 random bytes in base64. */
  readonly salt: string;
  readonly value: unknown;
}

/** The fields of file sets and runs that identify a person, besides `recipients`. */
export const PERSON_FIELDS: readonly string[] = ["owner", "createdBy", "updatedBy", "ownerId"];

/** The digest of a commitment, in hexadecimal digits. */
export function commitmentOf(salt: Uint8Array, value: unknown): string {
  const json = new TextEncoder().encode(canonicalJson(value));
  return toHex(sha256.create().update(salt).update(json).digest());
}

export function isCommitment(value: unknown): value is Commitment {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "person";
}

export class People {
  /** By value, or for objects by NUL and their canonical JSON. */
  readonly #known = new Map<unknown, Commitment & Opening>();

  /** The canonical JSON of a row, with commitments instead of people and texts with an address. */
  textOf(row: object): string {
    const replaced = (value: unknown, name?: string) => this.#replaced(value, name);
    try {
      return canonicalJson(row, replaced);
    } catch {
      return canonicalJson(wellFormed(row), replaced);
    }
  }

  *json(): Generator<string> {
    const openings = [...this.#known.values()].sort((a, b) => a.person < b.person ? -1 : 1);
    for (const [at, { person, salt, value }] of openings.entries()) {
      yield `${at === 0 ? "{" : ","}"${person}":${canonicalJson({ salt, value })}`;
    }
    yield openings.length === 0 ? "{}" : "}";
  }

  #replaced(value: unknown, name?: string): string | undefined {
    if (value === null) return undefined;
    if (name === "recipients" && Array.isArray(value)) {
      return `[${value.map((recipient) => this.#commit(recipient)).join()}]`;
    }
    const isPerson = (name !== undefined && PERSON_FIELDS.includes(name)) ||
      (typeof value === "string" && value.includes("@") && maskAddresses(value) !== value) ||
      // A service's object of this shape must not be read as a commitment.
      isCommitment(value);
    return isPerson ? this.#commit(value) : undefined;
  }

  #commit(value: unknown): string {
    const key = typeof value === "object" ? `\0${canonicalJson(value)}` : value;
    let known = this.#known.get(key);
    if (!known) {
      const salt = crypto.getRandomValues(new Uint8Array(16));
      known = { person: commitmentOf(salt, value), salt: toBase64(salt), value };
      this.#known.set(key, known);
    }
    return `{"person":"${known.person}"}`;
  }
}

/** Replaces halves of surrogate pairs, which UTF-8 can't encode. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.toWellFormed(), wellFormed(part)]),
  );
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Parses base64 as {@linkcode toBase64} writes it; throws a SyntaxError for any other form. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array();
  try {
    bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    // Reported below.
  }
  if (toBase64(bytes) !== text) throw new SyntaxError("A text is not base64");
  return bytes;
}
