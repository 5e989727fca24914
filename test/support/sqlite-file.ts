import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** Opens the database of an embedded store as another program does: with none of the store's code. */
export function openFile(folder: string) {
  return new DatabaseSync(join(folder, 'shelflist.db'), { timeout: 5000 });
}
