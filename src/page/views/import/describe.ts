import type { FieldProblem } from '../../../formats/problems.ts';
import type { ReadProblem } from '../../state/importing/reading/table.ts';
import type { Reason } from '../../state/importing/rows.ts';
import { texts } from '../../texts/current.ts';

const { problems, reasons, list, object } = texts.importing;

const megabyte = 1024 * 1024;

/** Why a file cannot be read. */
export function describeProblem(problem: ReadProblem): string {
  switch (problem.code) {
    case 'tooLarge':
      return problems.tooLarge(Math.ceil(problem.bytes / megabyte), problem.maxBytes / megabyte);
    case 'json':
    case 'tooLong':
      return problems[problem.code](problem.line);
    default:
      return problems[problem.code];
  }
}

/** Why a row is not imported. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case 'record':
      return describeRecord(reason.problem);
    case 'service':
      return reasons.service(reason.message);
    default:
      return reasons[reason.kind];
  }
}

function describeRecord(problem: FieldProblem): string {
  switch (problem.code) {
    case 'missing':
      return reasons.missing(texts.fields[problem.field]);
    case 'notUnderstood':
      return reasons.integer(texts.fields[problem.field], problem.shown);
    case 'notText':
      return reasons.text(texts.fields[problem.field], problem.shown);
  }
}

/** A cell as text. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** A cell in a message, however long or deep it is. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? list : object;
  const text = cellText(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
