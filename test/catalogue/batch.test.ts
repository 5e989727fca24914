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

test('the id of a batch is 8 to 64 letters, digits, underscores and hyphens', () => {
  for (const id of ['aZ09_-xy', 'x'.repeat(64)]) assert.ok(isBatchId(id), id);
  for (const id of ['', 'x'.repeat(7), 'x'.repeat(65), 'x x x x x', 'ääääääää', 12_345_678, null, ['x'.repeat(8)]])
    assert.ok(!isBatchId(id), JSON.stringify(id));
  for (let i = 0; i < 50; i++) assert.match(newBatchId(), /^[0-9a-f]{20}$/);
  assert.match(newImportId(''), /^[0-9a-f]{20}$/);
}); // prettier-ignore

test('the name of a file is in an id that begins and ends as those of imports do', () => {
  const id = newImportId('books.csv');
  for (const other of [`x${id}`, `${id}x`, id.slice(0, -1), id.toUpperCase()])
    assert.equal(importedFileOf(other), undefined, other);
  assert.equal(importedFileOf(newImportId(' a ')), 'a');
  assert.equal(importedFileOf(newImportId('\n')), undefined);
});
