import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Book, BookStore } from '../../src/index.ts';
import { testStore } from '../../src/store-suite/store-suite.ts';
import { root } from '../support/packed.ts';

interface Shelf {
  readonly books: Map<number, Book>;
  lastId: number;
  version: number;
}

// The example imports the package by its name.
const folder = mkdtempSync(join(tmpdir(), 'shelflist-'));
after(() => {
  rmSync(folder, { recursive: true });
});
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/shelflist'), 'junction');
copyFileSync(join(root, 'examples/map-store.js'), join(folder, 'map-store.mjs'));
const { MapStore } = (await import(pathToFileURL(join(folder, 'map-store.mjs')).href)) as {
  MapStore: new (shelf: Shelf) => BookStore;
};

testStore(
  'that of examples/map-store.js, which has the core alone',
  () => {
    const shelf: Shelf = { books: new Map(), lastId: 0, version: 0 };
    return Promise.resolve({
      open: () => Promise.resolve(new MapStore(shelf)),
      putBack(books) {
        for (const book of books) shelf.books.set(book.id, book);
        shelf.version++;
        return Promise.resolve();
      },
      remove: () => Promise.resolve(),
    });
  },
  { groups: [] },
);
