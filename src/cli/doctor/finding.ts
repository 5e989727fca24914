/** What a check of `doctor` found. */
export interface Finding {
  check: string;
  /** `note`: nothing is wrong, but something is missing that may be wanted. */
  state: 'ok' | 'note' | 'problem';
  finding: string;
  /** The command that mends it, or what to do where no command can. */
  mend?: string;
}

export function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding };
}

export function note(check: string, finding: string, mend: string): Finding {
  return { check, state: 'note', finding, mend };
}

export function problem(check: string, finding: string, mend: string): Finding {
  return { check, state: 'problem', finding, mend };
}
