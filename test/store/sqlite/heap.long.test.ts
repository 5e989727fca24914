import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fieldNames, searchedFields } from '../../../src/catalogue/fields.ts';
import { defaultRules } from '../../../src/catalogue/sort-keys.ts';
import { openStore } from '../../../src/index.ts';
import { indexEntry } from '../../../src/store/sqlite/index-entry.ts';
import { keyColumns, orderColumns } from '../../../src/store/sqlite/schema.ts';
import { checkBudget } from '../../support/budgets.ts';
import { startMeasured } from '../../support/heap.ts';
import { manyTitles } from '../../support/many-titles.ts';
import { openFile } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const books = 1_000_000;
const titles = 1000;

/** Fills a store in SQL: a thousand books, each in a thousand editions. The store itself would take a minute and more. */
function fill(folder: string): void {
  const db = openFile(folder);
  const columns = [...fieldNames, ...keyColumns, ...orderColumns];
  const models = manyTitles(titles).map((book) => ({ book, ...indexEntry(book, defaultRules) }));
  const wordColumns = searchedFields.map((name) => `${name}_words`);
  db.exec(`CREATE TEMP TABLE models (${[...columns, ...wordColumns].join()})`);
  const insert = db.prepare(
    `INSERT INTO models VALUES (${[...columns, ...wordColumns].map(() => '?').join()})`,
  );
  for (const { book, keys, words } of models)
    insert.run(...fieldNames.map((name) => book[name]), ...keys, ...words);
  // Each edition has its number in the title, so that no two books are the same.
  const numbered = (name: string) => (name.startsWith('title') ? `${name} || ' ' || edition` : name);
  const editions = `
    WITH RECURSIVE editions (edition) AS (SELECT 0 UNION ALL SELECT edition + 1 FROM editions WHERE edition < ${books / titles - 1})
    SELECT edition * ${titles} + models.rowid`;
  db.exec(`
    BEGIN;
    INSERT INTO books (id, ${columns.join()}) ${editions}, ${columns.map(numbered).join()} FROM editions, models ORDER BY 1;
    INSERT INTO words (rowid, ${searchedFields.join()}) ${editions}, ${wordColumns.map(numbered).join()} FROM editions, models ORDER BY 1;
    COMMIT`);
  db.close();
}

test('the heap of a service over a million books does not grow with them', async (t) => {
  const folder = join(await temporaryFolder(t), 'data');
  const url = `file:${folder}`;
  await (await openStore(url)).close();
  fill(folder);
  const { ask, heapBytes } = await startMeasured(t, url);
  const paths = [
    '/book/1000000',
    '/books?limit=100',
    '/books?sort=title&limit=100',
    '/books?q=silent+river',
    '/books?q=sparrw',
    '/stats',
    '/suggest?field=author&q=an',
    '/authors?sort=-count&limit=20',
    '/trash',
    '/batches',
    '/duplicates?level=same&limit=20',
  ];
  for (const path of paths) {
    // Authors and duplicates are counted in the background first.
    for (let status = 0; status !== 200;) {
      if (status !== 0) await setTimeout(50);
      status = await ask(path);
      assert.ok(status === 200 || status === 503, `${path}: ${status}`);
    }
  }
  const bytes = await heapBytes('collect');
  t.diagnostic(`${bytes} bytes`);
  checkBudget('heap over a million books, bytes', bytes);
});
