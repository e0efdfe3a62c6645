/**
 * The data of the interface: file sets, searches, report runs and their recipients.
 *
 * Field names are those of the interface. Each row has an `id`; any other field of an answer may be
 * missing or null. Fields that the interface does not list are passed on unchanged. Where a search
 * takes any text, its type lists the known ones, so that editors suggest them.
 */

/** Name of a field of {@linkcode FileSet}. */
export type FileSetField = keyof FileSet;

/** One file set, an element of `fileSets` in the answer to a search. */
export interface FileSet {
  /** UUID. */
  readonly id: string;
  /** Name. */
  readonly name?: string | null;
  /** Description. */
  readonly description?: string | null;
  /** When it was created: ISO 8601 date-time, UTC. */
  readonly created?: string | null;
  /** Id of the user who created it. */
  readonly createdBy?: number | null;
  /** When it was last updated: ISO 8601 date-time. */
  readonly updated?: string | null;
  /** Id of the user who last updated it. */
  readonly updatedBy?: number | null;
  /** Owner. The interface does not say whether this is a name or an id. */
  readonly owner?: string | null;
  /** Permission. The interface does not list its values. */
  readonly permission?: string | null;
  /** Number of files in the set. */
  readonly fileCount?: number | null;
}

/** `pageContext` of the answer to a search: where the page is among all matches. */
export interface PageContext {
  /** The interface does not say what it means; Docket's client ignores it. */
  readonly next?: string | null;
  /** Number of matches skipped before this page. */
  readonly offset?: number | null;
  /** The most file sets that the service puts on this page; it may be less than requested. */
  readonly limit?: number | null;
  /** Number of matches on all pages together. */
  readonly total?: number | null;
}

/** The answer to a search: one page of matching file sets. */
export interface FileSetPage {
  /** The file sets on this page, in the order of the search. */
  readonly fileSets: readonly FileSet[];
  /** Where this page is among all matches. */
  readonly pageContext: PageContext;
}

/** One sort key of a search, an element of `fieldSort`. */
export interface FieldSort {
  /** Name of the field to sort by. */
  readonly field: keyof FileSet | (string & Record<never, never>);
  /** Order; the interface documents `ASC`. */
  readonly order?: "ASC" | "DESC" | (string & Record<never, never>);
}

/** One condition of a search on a field's value, an element of `filters`. */
export interface Filter {
  /** Name of the field. */
  readonly field: keyof FileSet | (string & Record<never, never>);
  /** Values to compare with, as text. */
  readonly value?: readonly string[];
  /** Whether the condition is negated. Default: false. */
  readonly not?: boolean;
  /** How to compare; the interface documents `EQUALS`. */
  readonly operator?:
    | ("EQUALS" | "LIKE" | "IN" | "IS_NULL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL")
    | ("LESS_THAN" | "LESS_THAN_OR_EQUAL" | (string & Record<never, never>));
}

/** One condition of a search on a date, an element of `dateFilters`. */
export interface DateFilter {
  /** Name of the field. */
  readonly field: "created" | "updated" | (string & Record<never, never>);
  /** First moment that matches: ISO 8601 date-time. */
  readonly start?: string;
  /** End of the range: ISO 8601 date-time. */
  readonly end?: string;
  /** Whether the condition is negated. Default: false. */
  readonly not?: boolean;
  /**
   * The days that `start` and `end` were computed from, as a query writes them: `last-month`,
   * `2026-01..2026-03`. It is not part of the interface and never sent.
   */
  readonly range?: string;
}

/** The body of a search. The empty object matches every file set. */
export interface SearchBody {
  /** Sort keys, most significant first. */
  readonly fieldSort?: readonly FieldSort[];
  /** Conditions on values. */
  readonly filters?: readonly Filter[];
  /** Conditions on dates. */
  readonly dateFilters?: readonly DateFilter[];
}

/** The body of a search as it may be sent: null is as good as absent, and values need not be texts. */
export interface SearchInput {
  /** Sort keys, most significant first. */
  readonly fieldSort?:
    | readonly { readonly [Name in keyof FieldSort]: FieldSort[Name] | null }[]
    | null;
  /** Conditions on values. */
  readonly filters?:
    | readonly {
      readonly [Name in keyof Filter]: Name extends "value"
        ? readonly (string | number | boolean)[] | null
        : Filter[Name] | null;
    }[]
    | null;
  /** Conditions on dates. */
  readonly dateFilters?:
    | readonly { readonly [Name in keyof DateFilter]: DateFilter[Name] | null }[]
    | null;
}

/** Someone a report was sent to, an element of `recipients` of a run. */
export interface Recipient {
  /** User id. */
  readonly userId?: number | null;
  /** Name to show. */
  readonly displayName?: string | null;
  /** Email address. */
  readonly emailAddress?: string | null;
}

/** One run of a report schedule, an entry of its history. */
export interface ReportRun {
  /** Id of the run. */
  readonly id: number;
  /** Id of the report. */
  readonly reportId?: number | null;
  /** Title of the report. */
  readonly reportTitle?: string | null;
  /** Subject of the report. */
  readonly reportSubject?: string | null;
  /** When the run started: date-time. */
  readonly startTime?: string | null;
  /** When the run ended: date-time. */
  readonly endTime?: string | null;
  /** Whether the schedule started the run, rather than a person. */
  readonly automated?: boolean | null;
  /** Number of cards in the report. */
  readonly cardCount?: number | null;
  /** Number of attachments. */
  readonly attachmentCount?: number | null;
  /** Size of the attachments; the interface gives no unit, Docket's embedded service uses bytes. */
  readonly attachmentSize?: number | null;
  /** Size of the email; the interface gives no unit, Docket's embedded service uses bytes. */
  readonly emailSize?: number | null;
  /** Status. The interface does not list its values. */
  readonly status?: string | null;
  /** User id of the owner. */
  readonly ownerId?: number | null;
  /** Number of recipients. */
  readonly recipientCount?: number | null;
  /** Type of the resource that the report is about. The interface does not list its values. */
  readonly resourceType?: string | null;
  /** Id of that resource. */
  readonly resourceId?: number | null;
  /** Name of that resource. */
  readonly resourceName?: string | null;
  /** Who the report was sent to. */
  readonly recipients?: readonly Recipient[] | null;
}
