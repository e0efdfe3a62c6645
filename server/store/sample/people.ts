/** The people of the sample. Their domains are reserved for examples. */

export type Person = Readonly<ReturnType<typeof person>>;

const FIRST =
  "Amara Bao Chloé Dmitri Elif Farid Grace Hiro Ingrid Jonas Kavya Luís Mireille Noor Owen Priya"
    .split(" ");

const LAST = "Adeyemi Bergström Castillo Dubois Eriksen Fischer Gallagher Haddad".split(" ");

function person(userId: number, displayName: string, domain: string) {
  const names = displayName.split(" ").map((name) => name.normalize("NFD").replace(/[^a-z]/gi, ""));
  return { userId, displayName, emailAddress: `${names.join(".").toLowerCase()}@${domain}` };
}

function colleague(index: number, domain: string): Person {
  const first = FIRST[index % FIRST.length];
  // Steps the last name by 3, so that neighbours do not share one.
  const last = LAST[(index * 3 + Math.floor(index / FIRST.length)) % LAST.length];
  return person(2001 + index, `${first} ${last}`, domain);
}

/** 48 people of one company. */
export const COLLEAGUES: readonly Person[] = Array.from(
  { length: 48 },
  (_, index) => colleague(index, "example.com"),
);

export const SUBSIDIARY: readonly Person[] = Array.from(
  { length: 12 },
  (_, index) => colleague(64 + index, "example.org"),
);

export const OUTSIDER = person(9001, "Rowan Pike", "partner.example.net");

/** Somebody who receives nine schedules. */
export const MUCH_INFORMED = person(2101, "Yara Lindqvist", "example.com");

/** Somebody who left the company, and still receives three schedules. */
export const LEAVER = person(2102, "Sam Okafor", "example.com");

/** A partner who has always received the weekly report and is expected to. */
export const PARTNER = person(9002, "Jun Park", "haulier.example.net");

/** Somebody at a domain that looks like the company's, for some days half a year ago. */
export const LOOK_ALIKE = person(9003, "Noor Haddad", "example.com.example.net");
