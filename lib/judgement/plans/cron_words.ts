/** What is wrong with a cron expression, in plain words. */

/** The fields of a cron expression, in order. */
export const CRON_FIELDS: readonly string[] = [
  "minute",
  "hour",
  "day of the month",
  "month",
  "day of the week",
];

const RANGES: Readonly<Record<string, string>> = {
  minute: "the minute must be 0 to 59",
  hour: "the hour must be 0 to 23",
  day: "the day of the month must be 1 to 31",
  month: "the month must be 1 to 12",
  dayOfWeek: "the day of the week must be 0 to 7, where 0 and 7 are Sunday",
};

/** Croner's message in plain words. The positions in the message count from zero. */
export function cronWords(message: string): string {
  if (/configuration format|exactly 5 parts/.test(message)) {
    return "it must have five fields: minute, hour, day of month, month and day of week";
  }
  const [, field] = /Invalid value for (\w+)/.exec(message) ?? [];
  if (field && RANGES[field]) return RANGES[field];
  const [, entry, text] = /configuration entry (\d) \((.*)\) contains/.exec(message) ?? [];
  if (entry) return `the ${CRON_FIELDS[Number(entry) - 1] ?? "expression"} can't be read: ${text}`;
  if (/is empty/.test(message)) return "a list must not end with a comma";
  if (/stepping/.test(message)) return "the number after / must be 1 or more";
  const [, range] = /From value is larger than to value: '(.*)'/.exec(message) ?? [];
  if (range) return `a range must begin with its smaller value, not ${range}`;
  if (/nth weekday/.test(message)) return "# must be followed by 1 to 5, or by L for the last";
  if (/L has to be/.test(message)) return "L must stand alone in the day of the month";
  return message.replace(/^\w+: (Syntax error, )?/, "");
}
