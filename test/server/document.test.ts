import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { version } from '../../package.json';
import type { ServerConfig } from '../../src/index.ts';
import { documentText, everything, operationsOf, parseDocument } from '../support/document.ts';
import { startService } from '../support/service.ts';

const whole = await documentText();

test('is an OpenAPI 3.1 document, by the standard’s own schema', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(whole) as Record<string, unknown>);
  assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
});

test('has the version of the package', () => {
  assert.equal(parseDocument(whole).info.version, version);
});

test('each operation has a name of its own', () => {
  const names = operationsOf(parseDocument(whole)).map(({ operation }) => operation.operationId);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

describe('says what this service does', () => {
  const table: [what: string, config: Partial<ServerConfig>, url: string, paths: number, options: number][] =
    [
      ['nothing switched on', {}, '/', 7, 0],
      ['metrics', { metrics: true }, '/', 8, 0],
      ['pages of other origins', { corsOrigins: ['https://books.example'] }, '/', 7, 7],
      ['everything', everything, '/', 8, 8],
      ['a prefix', { prefix: '/catalogue' }, '/catalogue', 7, 0],
    ];
  for (const [what, config, url, paths, options] of table) {
    test(what, async () => {
      const document = parseDocument(await documentText(config));
      assert.deepEqual(document.servers, [{ url }]);
      assert.equal(Object.keys(document.paths).length, paths);
      assert.equal(operationsOf(document).filter(({ method }) => method === 'OPTIONS').length, options);
      assert.equal(JSON.stringify(document).includes('Access-Control-'), config.corsOrigins !== undefined);
    });
  }
});

describe('GET /openapi.json', () => {
  test('takes no token, and is the same each time', async (t) => {
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

  test('HEAD, and any other method', async (t) => {
    const service = await startService(t);
    const head = await service.request('HEAD', '/openapi.json');
    assert.deepEqual([head.status, head.text], [200, '']);
    const post = await service.request('POST', '/openapi.json');
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
  });
});
