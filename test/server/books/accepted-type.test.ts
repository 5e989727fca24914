import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedType } from '../../../src/server/books/accepted-type.ts';

const types = ['text/csv', 'application/x-ndjson'] as const;
const table: [accept: string | undefined, chosen: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['*/*', undefined],
  ['text/*', undefined],
  ['application/json', undefined],
  ['application/json, text/plain, */*', undefined],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', undefined],
  ['image/png', undefined],
  ['text/csvx', undefined],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; charset=utf-8; header=present', 'text/csv'],
  ['text/csv, */*', 'text/csv'],
  ['text/csv;q=0.5, */*;q=0.8', undefined],
  ['text/csv;q=0.9, application/*;q=0.8', 'text/csv'],
  ['text/csv;q=0', undefined],
  ['text/csv;q=x', undefined],
  ['text/csv, application/json', undefined],
  ['text/csv, application/json;q=0.9', 'text/csv'],
  ['application/x-ndjson, text/csv;q=0.1', 'application/x-ndjson'],
  ['application/x-ndjson;q=0.1, text/csv;q=0.2', 'text/csv'],
  ['text/html, text/csv', 'text/csv'],
  [',,;;,text/csv', 'text/csv'],
];
for (const [accept, chosen] of table)
  test(`Accept: ${accept ?? '(none)'} chooses ${chosen ?? 'JSON'}`, () => {
    assert.equal(acceptedType(accept, types), chosen);
  });
