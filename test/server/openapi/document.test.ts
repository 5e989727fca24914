import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { version } from '../../../package.json';
import { documentText, everything, operationsOf, parseDocument } from '../../support/document.ts';
import { startService } from '../../support/service.ts';
import type { AnyConfig } from '../../../src/server/config.ts';

const whole = await documentText();

test('the document is valid by the schema of OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(whole) as Record<string, unknown>);
  assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
});

test('the document has the version of the package', () => {
  assert.equal(parseDocument(whole).info.version, version);
});

// openapi-generator 7.25: of the first, TypeScript imports a missing module and Python ends; of the second, names are doubled.
test('only as an alternative, a schema has the type null; and no array has items of a type or of arrays of it', () => {
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { items, anyOf: alternatives = [], ...rest } = value as { items?: object; anyOf?: object[] };
    assert.ok(!('type' in rest && rest.type === 'null'));
    for (const each of alternatives) if (!('type' in each && each.type === 'null')) look(each);
    if (items !== undefined) assert.ok(!('oneOf' in items));
    [items, ...Object.values(rest)].forEach(look);
  };
  look(JSON.parse(whole));
});

test('every operationId is unique', () => {
  const names = operationsOf(parseDocument(whole)).map(({ operation }) => operation.operationId);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

test('each tag is explained', () => {
  const { tags } = JSON.parse(whole) as { tags: { name: string; description: string }[] };
  const names = tags.map(({ name }) => name);
  for (const { method, operation } of operationsOf(parseDocument(whole)))
    if (method !== 'OPTIONS') assert.deepEqual(operation.tags.filter((tag) => names.includes(tag)).length, 1);
});

test('HEAD and OPTIONS, which every path has, are not in the document', () => {
  const { paths } = JSON.parse(whole) as { paths: Record<string, object> };
  for (const item of Object.values(paths)) assert.ok(!('head' in item) && !('options' in item));
});

test('the document is the one that was reviewed', async () => {
  const path = join(import.meta.dirname, 'openapi.json');
  const { info, ...rest } = JSON.parse(whole) as { info: object };
  const text = `${JSON.stringify({ ...rest, info: { ...info, version: '' } }, undefined, 2)}\n`;
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(path, text);
  assert.equal(text, await readFile(path, 'utf8'));
});

describe('the document describes a service', () => {
  const table: [what: string, config: Partial<AnyConfig>][] = [
    ['with default settings', {}],
    ['with metrics', { metrics: true }],
    ['with CORS', { corsOrigins: ['https://books.example'] }],
    ['with the page', { page: true }],
    ['with every option', everything],
    ['with a prefix', { prefix: '/catalogue' }],
  ];
  for (const [what, config] of table) {
    test(what, async () => {
      const document = parseDocument(await documentText(config));
      assert.deepEqual(document.servers, [{ url: '.' }]);
      const paths = Object.keys(document.paths);
      for (const path of ['/token', '/book', '/books', '/book/{id}', '/livez', '/readyz', '/openapi.json'])
        assert.ok(paths.includes(path));
      assert.equal(paths.includes('/metrics'), config.metrics === true);
      assert.equal(paths.includes('/assets/{asset}'), config.page === true);
      assert.equal(JSON.stringify(document).includes('Access-Control-'), config.corsOrigins !== undefined);
    });
  }
});

test('with publicRead, reading the books needs no token, and nothing else changes', async () => {
  const securityOf = async (config: Partial<AnyConfig>) =>
    operationsOf(parseDocument(await documentText(config))).map(
      ({ method, path, operation }) => [`${method} ${path}`, JSON.stringify(operation.security)] as const,
    );
  const before = new Map(await securityOf({}));
  const changed = (await securityOf({ publicRead: true })).filter(
    ([name, value]) => before.get(name) !== value,
  );
  const paths = ['/books', '/book/{id}', '/stats', '/suggest', '/corrections', '/authors', '/changes'];
  assert.deepEqual(
    changed,
    paths.flatMap((path) => ['GET', 'HEAD'].map((method) => [`${method} ${path}`, '[{},{"token":[]}]'])),
  );
});

describe('GET /openapi.json', () => {
  test('needs no token, and always returns the same document', async (t) => {
    const { url } = await startService(t, everything);
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(`${url}/openapi.json`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'application/json');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(await answer.text(), whole);
    }
  });

  test('supports HEAD, and refuses other methods', async (t) => {
    const service = await startService(t);
    const head = await service.request('HEAD', '/openapi.json');
    assert.deepEqual([head.status, head.text], [200, '']);
    const post = await service.request('POST', '/openapi.json');
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
  });
});
