import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { openStore, type Book } from '../../../src/index.ts';
import { changeFile, openFile } from '../../support/sqlite-file.ts';
import { testStore } from '../../../src/store-suite/store-suite.ts';

testStore('file:', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const open = () => openStore(`file:${join(folder, 'data')}`);
  return {
    open,
    async putBack(books: readonly Book[]) {
      await mkdir(join(folder, 'data'), { recursive: true });
      const db = openFile(join(folder, 'data'));
      const columns = ['id', ...fieldNames] as const;
      const insert = db.prepare(
        `INSERT INTO books (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
      );
      for (const book of books) insert.run(...columns.map((name) => book[name]));
      db.close();
    },
    ageKeys(milliseconds) {
      changeFile(join(folder, 'data'), `UPDATE repeats SET at = at - ${milliseconds}`);
      return Promise.resolve();
    },
    remove: () => rm(folder, { recursive: true }),
  };
});
