// The driver of stores in a folder (`file:PATH`): loads each part of this directory when it is first needed.
import type { Driver } from '../contract/driver.ts';
import { parseFileUrl } from './address.ts';

/** Books in a folder: one SQLite database. */
export const sqliteDriver: Driver = {
  open: async (url, options) => (await import('./open.ts')).openSqliteStore(parseFileUrl(url), options),
  inspect: async (url) => (await import('./inspect.ts')).inspectFolder(parseFileUrl(url)),
  redact: (url) => url,
  openSource: async (url) => (await import('./copy.ts')).openSource(parseFileUrl(url)),
  openTarget: async (url) => (await import('./copy.ts')).openTarget(parseFileUrl(url)),
  checkTarget: async (url) => (await import('./setup.ts')).checkEmptyFolder(parseFileUrl(url)),
  backup: async (url, file) => (await import('./backup.ts')).backUp(parseFileUrl(url), file),
  backupSeries: async (url) => (await import('./backup.ts')).backupSeries(parseFileUrl(url)),
  noteBackup: async (url) => (await import('./backup.ts')).noteBackup(parseFileUrl(url)),
  restore: async (file, url, signal, name) =>
    (await import('./backup.ts')).restore(file, parseFileUrl(url), signal, name),
};
