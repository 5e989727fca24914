import { ShelflistError } from '../../errors.ts';
import { counted, notice, type Io } from '../io.ts';
import { fields, type Mapping } from './columns.ts';

/** What came of an import so far. */
export interface Outcome {
  /** Whether the columns were found: before that there is nothing to tell. */
  begun: boolean;
  added: number;
  rejected: { line: number; reason: string }[];
}

/** Rejected rows that are listed one by one. */
const listedRejects = 20;

/** Says which columns hold which fields. */
export function describeMapping(io: Io, header: readonly string[], mapping: Mapping): void {
  const parts = fields.map((field) => {
    const column = mapping[field];
    return column === undefined ? `no ${field}` : `${field} from "${header[column] ?? ''}"`;
  });
  notice(io, `importing ${parts.join(', ')}`);
}

/** Says what was added and what was left out. */
export function summarize(io: Io, { added, rejected }: Outcome, seconds: number, asJson: boolean): void {
  const inOrder = rejected.toSorted((a, b) => a.line - b.line);
  if (asJson) {
    io.stdout.write(`${JSON.stringify({ added, rejected: inOrder })}\n`);
    return;
  }
  for (const { line, reason } of inOrder.slice(0, listedRejects))
    notice(io, `line ${line} left out: ${reason}`);
  if (rejected.length > listedRejects) notice(io, `… and ${rejected.length - listedRejects} more`);
  notice(io, `added ${counted(added, 'book')} in ${seconds.toFixed(1)} s, left out ${rejected.length}`);
}

/** Why the service refuses a row for what it holds; `undefined` when the error is about something else. */
export function rejection(error: unknown): string | undefined {
  const aboutRow =
    error instanceof ShelflistError && ['invalid_input', 'body_too_large'].includes(error.code);
  return aboutRow ? `the service refuses it: ${error.message}` : undefined;
}
