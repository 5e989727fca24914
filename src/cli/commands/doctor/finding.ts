/** The result of a check of `doctor`. */
export interface Finding {
  check: string;
  /** `note`: not a problem, but something may be missing. */
  state: 'ok' | 'note' | 'problem';
  finding: string;
  /** The command that fixes it, or advice where no command can. */
  fix?: string;
}

export function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding };
}

export function note(check: string, finding: string, fix: string): Finding {
  return { check, state: 'note', finding, fix };
}

export function problem(check: string, finding: string, fix: string): Finding {
  return { check, state: 'problem', finding, fix };
}
