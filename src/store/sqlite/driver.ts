import { parseFileUrl } from '../file-url.ts';
import type { Driver } from '../driver.ts';

export const sqliteDriver: Driver = {
  open: async (url) => (await import('../embedded/store.ts')).openEmbeddedStore(parseFileUrl(url)),
  async inspect(url) {
    const path = parseFileUrl(url);
    const { hasStore, withoutLockFile } = await import('../embedded/folder.ts');
    if (!(await hasStore(path))) return undefined;
    const { inspectEnvironment } = await import('../embedded/look.ts');
    return withoutLockFile(path, inspectEnvironment);
  },
  redact: (url) => url,
  backup: async (url, file) => (await import('../embedded/backup.ts')).backUp(parseFileUrl(url), file),
  restore: async (file, url, signal) =>
    (await import('../embedded/backup.ts')).restore(file, parseFileUrl(url), signal),
};
