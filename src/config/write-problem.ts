import { missingTarget } from '../lib/missing.ts';

/**
 * Says why a file or folder cannot be written, and what to do.
 *
 * @param error The error of the system.
 */
export function describeWriteProblem(path: string, error: unknown, platform = process.platform): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  const reason = reasonOf(path, code, platform);
  return `cannot write ${path} (${code})${reason === undefined ? '' : `: ${reason}`}`;
}

function reasonOf(path: string, code: string, platform: NodeJS.Platform): string | undefined {
  switch (code) {
    case 'EPERM':
    case 'EACCES':
      return code === 'EPERM' && platform === 'darwin'
        ? 'macOS refuses it; allow it in System Settings, Privacy & Security, Files and Folders, or use another folder'
        : 'this user has no permission to write there; use a folder of your own, or change the owner or the mode of this one';
    case 'EROFS':
      return 'its file system is read-only; use a folder on another disk';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; delete files that you do not need';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a part of its path is a file; use another folder';
    case 'ENOENT': {
      const target = missingTarget(path);
      return target === undefined
        ? 'its folder no longer exists; change to another one'
        : `it is a link to ${target}, which is missing; put that back, or remove the link`;
    }
    default:
      return undefined;
  }
}
