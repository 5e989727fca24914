import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Book } from '../../../src/index.ts';
import { openFile } from '../../support/sqlite-file.ts';
import { testStore } from '../suite.ts';

testStore('file:', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const open = () => openStore(`file:${join(folder, 'data')}`);
  return {
    open,
    async putBack(books: readonly Book[]) {
      await mkdir(join(folder, 'data'), { recursive: true });
      const db = openFile(join(folder, 'data'));
      const insert = db.prepare('INSERT INTO books (id, title, author, year) VALUES (?, ?, ?, ?)');
      for (const { id, title, author, year } of books) insert.run(id, title, author, year);
      db.close();
    },
    remove: () => rm(folder, { recursive: true }),
  };
});
