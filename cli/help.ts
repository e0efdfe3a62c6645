/**
 * What `--help` says.
 *
 * @module
 */

/**
 * The help for the whole program, or for one command.
 *
 * @param topic Name of the command.
 * @returns The text.
 */
export function help(topic?: string): string {
  if (topic === "filesets") return FILE_SETS + COMMON;
  if (topic === "history") return HISTORY + COMMON;
  if (topic === "check") return CHECK;
  return OVERVIEW;
}

const OVERVIEW = `Docket: file sets and report histories, from the command line

  docket filesets [options]     search file sets
  docket history ID [options]   runs of the report schedule with this id
  docket check [ID]             what the service really sends, beside the interface
  docket COMMAND --help         everything about a command
  docket --version              the version of this program

Environment:
  DOCKET_URL             where the service or a Docket server is
  DOCKET_TOKEN           the developer token; never an argument
  SERVICE_TOKEN_HEADER   name of the token's header, when it is another one

Exit codes:
  0    every row that was asked for is there
  1    the service could not be reached, or answered something unusable
  2    the words or the environment can't be used
  3    every page was read, but rows changed meanwhile: the list may miss or lack some
  4    the service refused the token
  130  interrupted
`;

const COMMON = `
Both commands:
  --limit N         the most rows on a page (default 100)
  --all             every row of every page, not one page
  -c, --columns A,B names of the fields to write
  --format FORMAT   table (default), csv, ndjson or json
  --resume FILE     with --all and csv or ndjson: go on where FILE says, and keep it up to date;
                    FILE goes when everything is written. Append the output: >> rows.csv
  --prefetch N      with --all: how many pages to ask for at a time (default 4)
  --verify          with --all: let pages overlap by a row, to notice lost rows
`;

const FILE_SETS = `docket filesets: search file sets

  -f, --filter [!]FIELD:OPERATOR:VALUE,VALUE   a condition; ! negates it; repeatable
  -d, --date [!]FIELD:START..END               a condition on a date; repeatable
  -s, --sort FIELD or FIELD:DESC               a sort key; repeatable
  --offset N                                   how many to skip

The words are those of Docket's URLs. In a value, write %2C for a comma.

Examples:
  docket filesets --filter owner:EQUALS:ann --sort updated:DESC
  docket filesets --filter '!permission:EQUALS:READ' --date created:2026-01-01T00:00:00Z..
  docket filesets --all --format csv --columns id,name,fileCount > filesets.csv
  docket filesets --all --format ndjson --resume place.json >> filesets.ndjson
`;

const HISTORY = `docket history ID: runs of a report schedule

  --recipients   one row a recipient, not one row a run
  --skip N       how many to skip

Examples:
  docket history 101
  docket history 101 --all --format csv > runs.csv
  docket history 101 --all --recipients --format csv > recipients.csv
  docket history 101 --all --format ndjson | jq 'select(.status == "failure") | .startTime'
`;

const CHECK = `docket check [ID]: what the service really sends, beside the interface

Asks for one page of file sets, and of the history of report schedule ID when it is given. Writes
every field with the types that came and how often it is missing, but no values. Ends with 1 when
Docket could not work with what came.

Examples:
  docket check
  docket check 101
`;
