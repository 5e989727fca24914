import { readlinkSync, statSync } from 'node:fs';

/**
 * Whether an error of the system says that nothing has this name. All other errors say that something is there and cannot be
 * read, also those of a link whose target is missing: its disk may not be mounted.
 */
export function isMissing(path: string, error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR'].includes(code) && missingTarget(path) === undefined;
}

/** What a link leads to, if that is missing. */
export function missingTarget(path: string): string | undefined {
  try {
    const target = readlinkSync(path);
    return statSync(path, { throwIfNoEntry: false }) === undefined ? target : undefined;
  } catch {
    return undefined; // It is not a link, or one of a loop.
  }
}

/** The code of an error of the system, for messages. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}
