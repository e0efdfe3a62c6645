/** Sample file sets, and random numbers. The n-th file set does not depend on the count. */
import { DAY } from "../../../lib/time_units.ts";
import type { FileSet } from "../../../lib/types.ts";
import { COLLEAGUES } from "./people.ts";

const DAYS = 3 * 365;

const SUBJECTS: readonly (readonly [subject: string, what: string])[] = [
  ["Invoices", "Scanned supplier invoices, one PDF each"],
  ["Claims intake", "Claim forms and photos as customers sent them"],
  ["Sensor readings", "Hourly readings, one CSV file for each site"],
  ["Call recordings", "Support calls, kept for 180 days"],
  ["Contracts", "Signed contracts with their annexes"],
  ["Price lists", "Price lists of suppliers, as received"],
  ["Shipping labels", "Labels printed by the warehouses"],
  ["Product photos", "Photos for the catalogue, full size"],
  ["Payroll exports", "Monthly exports for the payroll office"],
  ["Survey answers", "Raw answers, one file a survey"],
  ["Model training", "Training sets and their labels"],
  ["Audit evidence", "What the auditors asked for, by request number"],
  ["Field reports", "Reports of the service engineers"],
  ["Web logs", "Compressed access logs"],
  ["Études de marché", "Market studies bought from agencies"],
  ["Größentabellen", "Size charts for the German shops"],
];

const PLACES = "North South East West Berlin Lyon Porto Oslo Boston Austin Kraków Malmö".split(" ");

const OWNERS =
  ("Finance, Claims, Operations, Customer Care, Legal, Purchasing, Logistics, Marketing, " +
    "People, Research, Data Science, Internal Audit, Field Service, Platform").split(", ");

const PERMISSIONS = ["READ", "READ", "READ", "EDIT", "EDIT", "NONE", "OWNER"];

const REMARKS = [
  "",
  "",
  " Replaces the folder on the old share.",
  " Ask the owner before deleting.",
  " Some pages are missing.",
  " 100 % complete.",
  ' Known inside as "the big one".',
];

/** File sets that were last updated on the day that begins then, or before. */
export function* sampleFileSets(count: number, newestDay: number): Generator<FileSet> {
  const random = randomFrom(0x0d0c_4e70);
  for (let index = 0; index < count; index++) yield sampleFileSet(random, index, newestDay);
}

function sampleFileSet(random: Random, index: number, newestDay: number): FileSet {
  const id = randomUuid(random);
  const [subject, what] = random.pick(SUBJECTS);
  const place = random.pick(PLACES);
  const owner = random.pick(OWNERS);
  // The first file set is from the newest day, so that every sample includes that day.
  const daysAgo = index === 0 ? 0 : random.between(0, DAYS - 1);
  const dayEnd = newestDay + DAY - 1000;
  const created = dayEnd - daysAgo * DAY - random.between(0, 86_000) * 1000;
  const isTouched = random.chance(0.6);
  const ageSeconds = Math.floor((dayEnd - created) / 1000);
  const updated = isTouched ? created + random.between(0, ageSeconds) * 1000 : created;
  const createdBy = random.pick(COLLEAGUES).userId;
  const updatedBy = isTouched ? random.pick(COLLEAGUES).userId : createdBy;
  const permission = random.pick(PERMISSIONS);
  const remark = random.pick(REMARKS);
  const isDescribed = random.chance(0.82);
  const scale = random.pick([1, 1, 10, 10, 100, 1000]);
  const batch = random.between(1, 400);
  return {
    id,
    name: `${subject} ${place} ${batch}`,
    ...(isDescribed ? { description: `${what}.${remark}` } : {}),
    created: new Date(created).toISOString(),
    createdBy,
    updated: new Date(updated).toISOString(),
    updatedBy,
    owner,
    permission,
    fileCount: random.chance(0.03) ? 0 : random.between(1, 40) * scale,
  };
}

/** When the day begins, in UTC. */
export function dayOf(now: Date): number {
  return Math.floor(now.getTime() / DAY) * DAY;
}

export type Random = ReturnType<typeof randomFrom>;

/** Random numbers that are the same everywhere for the same seed (the algorithm mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  /** At least 0, less than 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `low` to `high`, both included. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)],
    chance: (share: number): boolean => next() < share,
  };
}

function randomUuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.between(0, 2 ** 32 - 1))
    .map((word) => word.toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[random.between(0, 3)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
