import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importedFileOf, isBatchId, newBatchId, newImportId } from '../../src/catalogue/batch.ts';

const names = ['books.csv', 'Bücher 2024 – alle.xlsx', '本.csv', 'a', 'x'.repeat(30), '?>?>?>~~~~ÿÿÿ'];
for (const name of names)
  test(`the id of the import of ${name} has its name`, () => {
    const batch = newImportId(name);
    assert.ok(isBatchId(batch), batch);
    assert.equal(importedFileOf(batch), name);
    assert.notEqual(newImportId(name), batch);
  });

test('a long name is cut between characters', () => {
  const batch = newImportId(`${'📚'.repeat(100)}.csv`);
  assert.ok(isBatchId(batch), batch);
  assert.equal(importedFileOf(batch), `${'📚'.repeat(6)}…`);
});

test('an id without a name has none, and neither has one that somebody made up', () => {
  const invalid = Buffer.from([0xff, 0xfe, 0x41]).toString('base64url');
  const ids = [
    newBatchId(),
    newImportId(''),
    'file-books',
    `file-${invalid}-0123456789abcdef`,
    'file-x-0123456789abcdef',
  ];
  for (const id of ids) assert.equal(importedFileOf(id), undefined, id);
});

test('a name cannot change lines or the direction of the text around it', () => {
  assert.equal(importedFileOf(newImportId('a\n\u202eb\u0000.csv')), 'a  b .csv');
});
