/** The people of the sample. Addresses are at domains that are reserved for examples. */

export interface Person {
  readonly userId: number;
  readonly displayName: string;
  readonly emailAddress: string;
}

const FIRST = [
  "Amara",
  "Bao",
  "Chloé",
  "Dmitri",
  "Elif",
  "Farid",
  "Grace",
  "Hiro",
  "Ingrid",
  "Jonas",
  "Kavya",
  "Luís",
  "Mireille",
  "Noor",
  "Owen",
  "Priya",
];

const LAST = [
  "Adeyemi",
  "Bergström",
  "Castillo",
  "Dubois",
  "Eriksen",
  "Fischer",
  "Gallagher",
  "Haddad",
];

function person(index: number, domain: string): Person {
  const first = FIRST[index % FIRST.length];
  // Stepping the last name by 3 each round keeps neighbours from being one family.
  const last = LAST[(index * 3 + Math.floor(index / FIRST.length)) % LAST.length];
  return {
    userId: 2001 + index,
    displayName: `${first} ${last}`,
    emailAddress: `${plain(first)}.${plain(last)}@${domain}`,
  };
}

function plain(name: string): string {
  return name.normalize("NFD").replace(/[^a-zA-Z]/g, "").toLowerCase();
}

/** Colleagues: 48 people of one company. */
export const COLLEAGUES: readonly Person[] = Array.from(
  { length: 48 },
  (_, index) => person(index, "example.com"),
);

/** The same company's subsidiary, with another domain. */
export const SUBSIDIARY: readonly Person[] = Array.from(
  { length: 12 },
  (_, index) => person(64 + index, "example.org"),
);

/** Someone of another company altogether. */
export const OUTSIDER: Person = {
  userId: 9001,
  displayName: "Rowan Pike",
  emailAddress: "rowan.pike@partner.example.net",
};

/** Somebody who receives nine schedules. */
export const MUCH_INFORMED: Person = {
  userId: 2101,
  displayName: "Yara Lindqvist",
  emailAddress: "yara.lindqvist@example.com",
};

/** Somebody who left the company, and still receives three schedules. */
export const LEAVER: Person = {
  userId: 2102,
  displayName: "Sam Okafor",
  emailAddress: "sam.okafor@example.com",
};

/** A partner who always received the weekly report, as is expected. */
export const PARTNER: Person = {
  userId: 9002,
  displayName: "Jun Park",
  emailAddress: "jun.park@haulier.example.net",
};

/** Somebody at a domain that looks like the company's, for some days half a year ago. */
export const LOOK_ALIKE: Person = {
  userId: 9003,
  displayName: "Noor Haddad",
  emailAddress: "noor.haddad@example.com.example.net",
};
