import type { BackupState } from '../../catalogue/changeable-settings.ts';

const dayMs = 24 * 3_600_000;
/** A copy of which books have changed since is old after this many days. */
const maxDays = 30;

/** The whole days since a time. */
export function daysSince(at: Date, now = Date.now()): number {
  return Math.max(0, Math.floor((now - at.getTime()) / dayMs));
}

/** Whether a new copy is due. */
export function isBackupDue({ at, changedAt }: BackupState, now = Date.now()): boolean {
  return at !== null && changedAt !== null && changedAt > at && daysSince(at, now) >= maxDays;
}
