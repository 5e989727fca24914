import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFilter } from '../../../src/catalogue/query.ts';
import { connect, Statements } from '../../../src/store/sqlite/connection.ts';
import { filterOf, sourcesOf } from '../../../src/store/sqlite/filter.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { prepareSchema } from '../../../src/store/sqlite/schema.ts';
import { temporaryFolder } from '../../support/temp.ts';

test('no plan looks for words once for each book of another condition', async (t) => {
  const db = connect(join(await temporaryFolder(t), 'shelflist.db'), { isNew: true });
  t.after(() => {
    db.close();
  });
  prepareSchema(db);
  new Reader(db, () => false); // Defines the functions of the statements.
  const statements = new Statements(db);
  const queries = [
    { q: 'the 1950' },
    { q: 'the -44 19' },
    { q: '1950 12', author: 'emma' },
    { q: 'the 1950', yearFrom: 1900, yearTo: 2000, title: 'emma' },
    { q: '1950', titleWords: 'the', yearFrom: 1900 },
  ];
  for (const query of queries) {
    const filter = toFilter({ ...query, sort: 'id' });
    for (const source of sourcesOf(filter)) {
      const { where, values } = filterOf(filter, source);
      const sql = `EXPLAIN QUERY PLAN SELECT count(*) FROM ${source.from} WHERE ${where}`;
      const plan = statements.rows(sql, ...values).map(([, , , detail]) => String(detail));
      // An equals sign stands for a given row: https://sqlite.org/fts5.html.
      for (const step of plan)
        assert.doesNotMatch(step, /words VIRTUAL TABLE INDEX \d+:.*=/, `${sql}\n${plan.join('\n')}`);
    }
  }
});
