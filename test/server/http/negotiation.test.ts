import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseEncoding, acceptedType } from '../../../src/server/http/negotiation.ts';
import { acceptedLanguage } from '../../../src/server/page/show-page.ts';

describe('Accept-Encoding -> encoding', () => {
  const table: [accepted: string | undefined, expected: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br ; q=0.000, gzip; q=0.001', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=x', 'identity'],
    ['deflate', 'identity'],
    [',, gzip ,', 'gzip'],
    ['__proto__, constructor', 'identity'],
  ];
  for (const [accepted, expected] of table) {
    test(`${accepted ?? '(none)'}: ${expected}`, () => {
      assert.equal(chooseEncoding(accepted), expected);
    });
  }
});

describe('Accept-Language -> language', () => {
  const table: [accepted: string, expected: string][] = [
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['DE-ch', 'de'],
    ['en-GB,de;q=0.9', 'en'],
    ['en;q=0.3,de;q=0.9', 'de'],
    ['it-IT,it;q=0.9,de;q=0.2', 'de'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['es-419', 'es'],
    ['it, de;q=0', 'en'],
    ['*', 'en'],
    ['deutsch', 'en'],
    ['constructor', 'en'],
    ['de;q=banana', 'en'],
  ];
  for (const [accepted, expected] of table) {
    test(`${accepted || '(none)'}: ${expected}`, () => {
      assert.equal(acceptedLanguage(accepted), expected);
    });
  }
});

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
