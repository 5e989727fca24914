import { readlinkSync, statSync } from 'node:fs';

/**
 * Whether a system error means that nothing has this name. Any other error means that something exists but cannot be read,
 * including a link whose target is missing: its disk may not be mounted.
 */
export function isMissing(path: string, error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR'].includes(code) && missingTarget(path) === undefined;
}

/** The target of a link, if it is missing. */
export function missingTarget(path: string): string | undefined {
  try {
    const target = readlinkSync(path);
    return statSync(path, { throwIfNoEntry: false }) === undefined ? target : undefined;
  } catch {
    return undefined; // Not a link, or part of a loop.
  }
}

/** The code of a system error, for messages. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}
