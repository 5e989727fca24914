import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { isbnOf, startBookSource } from '../../support/book-source.ts';
import { startSession } from '../../support/session.ts';
import { sized } from '../../support/size.ts';

const count = sized({ short: 50, long: 500 });
const numbers = Array.from({ length: count }, (_, i) => isbnOf(i));
const source = await startBookSource(
  { after },
  {
    '9780141439587': { title: 'Emma', authors: [{ name: 'Jane Austen' }], publish_date: '2003' },
    ...Object.fromEntries(numbers.map((isbn, i) => [isbn, { title: `Book ${i}`, publish_date: '1999' }])),
  },
);
const session = await startSession({ after }, { BOOK_LOOKUP: source.openLibrary });

describe('add --isbn', () => {
  test('adds the book, with the fields that are named, and shows it', async () => {
    const { code, stdout } = await session.run(['add', '--isbn', '0-14-143958-0', '--year', '1815']);
    assert.deepEqual([code, stdout], [0, '1\tEmma\tJane Austen\t1815\n']);
  });

  test('with --dry-run, shows it and adds none', async () => {
    const { code, stdout, stderr } = await session.run(['add', '--isbn', '9780141439587', '-n', '--json']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { title: 'Emma', author: 'Jane Austen', year: 2003 });
    assert.equal((await session.run(['list'])).stdout, '1\tEmma\tJane Austen\t1815\n');
  });

  test('names an unknown number, and a wrong one', async () => {
    const unknown = await session.run(['add', '--isbn', '9780140620108']);
    assert.match(unknown.stderr, /no book is known with the ISBN 9780140620108; add it with --title/);
    const wrong = await session.run(['add', '--isbn', '9780141439588']);
    assert.match(wrong.stderr, /--isbn.*expected an ISBN of 10 or 13 digits/);
    assert.deepEqual([unknown.code, wrong.code], [3, 2]);
  });
});

test(`import of ${count} ISBNs adds as many books, names ten unknown and two wrong ones, and one undo takes it back`, async () => {
  const unknown = Array.from({ length: 10 }, (_, i) => isbnOf(90_000_000 + i));
  const lines = [...numbers.slice(0, 25), ...unknown, '9780141439588', 'Emma', ...numbers.slice(25)];
  await writeFile(join(session.folder, 'isbns.txt'), lines.join('\r\n'));
  const dry = await session.run(['import', 'isbns.txt', '--dry-run']);
  assert.ok(dry.stderr.includes(`would add ${count} books, leave out 12`), dry.stderr);
  const { code, stderr } = await session.run(['import', 'isbns.txt']);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`added ${count} books in \\d+\\.\\d s, left out 12`));
  for (const [i, isbn] of unknown.entries())
    assert.ok(stderr.includes(`line ${26 + i} left out: no book is known with the ISBN ${isbn}\n`), isbn);
  assert.match(stderr, /line 36 left out: it is not an ISBN, or its check digit is wrong: "9780141439588"/);
  assert.match(stderr, /line 37 left out: it is not an ISBN, or its check digit is wrong: "Emma"/);
  const asked = source.asked.filter((isbn) => numbers.includes(isbn) || unknown.includes(isbn));
  assert.equal(asked.length, count + unknown.length); // The dry run has asked already.
  const [, batch = ''] = /shelflist undo ([0-9a-f]+)/.exec(stderr) ?? [];
  assert.equal((await session.run(['undo', batch, '--yes'])).code, 0);
  assert.equal((await session.run(['list'])).stdout, '1\tEmma\tJane Austen\t1815\n');
});

test('without the setting, both say so', async (t) => {
  const off = await startSession(t);
  const added = await off.run(['add', '--isbn', '9780141439587']);
  assert.match(added.stderr, /the service does not look books up; set BOOK_LOOKUP/);
  await writeFile(join(off.folder, 'isbns.txt'), '9780141439587\n');
  const imported = await off.run(['import', 'isbns.txt']);
  assert.match(imported.stderr, /this is a list of ISBNs, and the service does not look books up/);
  assert.notEqual(added.code, 0);
  assert.notEqual(imported.code, 0);
});
