/** Identifies and names recipients, and masks their addresses. */
import type { Recipient, ReportRun } from "../types.ts";

type Lists = Iterable<readonly Recipient[] | null | undefined>;

/** The longest address that there is, by RFC 3696. */
const MAX_ADDRESS = 320;

/**
 * An address as it is compared: ignoring case, surrounding blanks, and what databases can't store, NUL
 * and halves of characters; undefined for none, and for what is too long to be one.
 */
export function comparedAddress(address: string | null | undefined): string | undefined {
  const compared = toComparable(address);
  return compared !== "" && compared.length <= MAX_ADDRESS ? compared : undefined;
}

function toComparable(address: string | null | undefined): string {
  return address?.replace(/[\0\p{Cs}]/gu, "").trim().toLowerCase() ?? "";
}

/** The user ids that one of these lists has with several addresses. They identify nobody. */
export function sharedUserIds(lists: Lists): ReadonlySet<number> {
  const shared = new Set<number>();
  for (const list of lists) {
    const addresses = new Map<number, string>();
    for (const recipient of list ?? []) {
      const userId = ownUserId(recipient);
      const address = comparedAddress(recipient.emailAddress);
      if (userId === null || !address) continue;
      const other = addresses.get(userId);
      if (other === undefined) addresses.set(userId, address);
      else if (other !== address) shared.add(userId);
    }
  }
  return shared;
}

/** The user id of a recipient; null if it is not positive, or shared, so that it identifies nobody. */
export function ownUserId({ userId }: Recipient, shared?: ReadonlySet<number>): number | null {
  return typeof userId === "number" && userId > 0 && !shared?.has(userId) ? userId : null;
}

/** Identifies a recipient by the user id, or else the address, or else the name. */
export function recipientKey(recipient: Recipient, shared?: ReadonlySet<number>): string {
  const userId = ownUserId(recipient, shared);
  if (userId !== null) return `user ${userId}`;
  const address = comparedAddress(recipient.emailAddress);
  return address ? `address ${address}` : `name ${recipient.displayName ?? ""}`;
}

/**
 * Who each recipient of these lists is. An address that also comes with a user id belongs to that
 * person, unless several user ids have it.
 */
export function peopleAmong(lists: Lists) {
  const all = [...lists];
  const shared = sharedUserIds(all);
  /** The user id of each address; 0 if there are several. */
  const users = new Map<string, number>();
  for (const list of all) {
    for (const recipient of list ?? []) {
      const userId = ownUserId(recipient, shared);
      const address = comparedAddress(recipient.emailAddress);
      if (userId === null || !address) continue;
      users.set(address, (users.get(address) ?? userId) === userId ? userId : 0);
    }
  }
  return (recipient: Recipient): { readonly key: string; readonly userId: number | null } => {
    const address = comparedAddress(recipient.emailAddress);
    const userId = ownUserId(recipient, shared) ?? ((address && users.get(address)) || null);
    return { userId, key: userId ? `user ${userId}` : recipientKey(recipient, shared) };
  };
}

/** How many people a run lists, or, if it has no list, claims; null if it does neither. */
export function countRecipients(run: ReportRun | null | undefined): number | null {
  return countListed(run) ?? run?.recipientCount ?? null;
}

/** The people in a list, each once, such as who is also in a group. */
export function listedPeople(list: readonly Recipient[]): readonly Recipient[] {
  const identify = peopleAmong([list]);
  return [...new Map(list.map((each) => [identify(each).key, each])).values()];
}

/** How many people a run lists, each once; null without a list. */
export function countListed(run: ReportRun | null | undefined): number | null {
  return run?.recipients ? listedPeople(run.recipients).length : null;
}

/** Whether a run may have gone to more than it lists: it has no list, or claims more. */
export function listsLess({ recipients, recipientCount }: ReportRun): boolean {
  return recipients ? recipients.length < (recipientCount ?? 0) : recipientCount !== 0;
}

/** The number of recipients that a run claims, if it lists another number. */
export function claimedCount(run: ReportRun): number | null {
  const { recipientCount } = run;
  return typeof recipientCount === "number" && recipientCount !== countListed(run)
    ? recipientCount
    : null;
}

/**
 * The domain of an email address in lower case, or undefined if there is none. Also of what is too long
 * for an address, such as one with a comment: who is outside must not stay unseen.
 */
export function domainOf(address: string | null | undefined): string | undefined {
  const compared = toComparable(address);
  const at = compared.lastIndexOf("@");
  return at >= 0 && compared.slice(at + 1).trim().slice(0, MAX_ADDRESS) || undefined;
}

/** Masks an email address, such as `a…@example.com`; only an ellipsis if it is not an address. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 1) return "…";
  // By code point, so that no character is cut in half.
  const [first] = address;
  return `${first}…${address.slice(at)}`;
}

/** Masks the address of a recipient, or of a row with the same fields, and a name that is one. */
export function maskRecipient<
  Row extends { readonly displayName?: string | null; readonly emailAddress?: string | null },
>({ displayName, emailAddress, ...rest }: Row): Row {
  return {
    ...rest,
    displayName: displayName?.includes("@") ? maskAddress(displayName) : displayName,
    emailAddress: emailAddress && maskAddress(emailAddress),
  } as Row;
}

/** A local part, an at sign, perhaps percent-encoded, and a domain with a dot. */
const ADDRESS = /[^\s@<>()[\]{}"'`,;:/\\=&?]{1,64}(?:@|%40)(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/giu;

/** Masks every email address in a text, such as an error message. */
export function maskAddresses(text: string): string {
  return text.replace(ADDRESS, maskAddress);
}

/** The name of a recipient, or else the address, masked unless asked for, or the user id. */
export function recipientName(
  { displayName, emailAddress, userId }: Recipient,
  addressesShown: boolean,
): string {
  const name = shownName(displayName, addressesShown);
  const address = emailAddress && (addressesShown ? emailAddress : maskAddress(emailAddress));
  return name || address || (typeof userId === "number" ? `user ${userId}` : "somebody");
}

/** The display name. Some services put an email address there, which is masked too. */
export function shownName(name: string | null | undefined, addressesShown = false): string {
  return name?.includes("@") && !addressesShown ? maskAddress(name) : name?.trim() ?? "";
}
