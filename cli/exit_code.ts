/** How the command line ended, for scripts. */
export const ExitCode = {
  /** All requested rows were read. */
  done: 0,
  /**
   * The service could not be reached, or its answer could not be used; a schedule is down or has a
   * critical reason; an assertion does not hold.
   */
  failed: 1,
  /** An argument or the environment is wrong. */
  usage: 2,
  /** Every page was read, but rows changed meanwhile, or contradict the service. */
  changed: 3,
  /** The service rejected the token. */
  rejected: 4,
  /** The service has no such schedule; nothing is wrong with the others, which were judged. */
  missing: 5,
  /** Interrupted, as by Ctrl+C. */
  interrupted: 130,
  /** The program that read the output has ended. */
  brokenPipe: 141,
} as const;
