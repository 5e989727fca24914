import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { titleOf } from '../../support/cli.ts';
import { startSession, startStranger } from '../../support/session.ts';

const { run, folder } = await startSession({ after });
await writeFile(join(folder, 'book.json'), '\ufeff{"title":"Nana","year":1880}');
await writeFile(join(folder, 'latin1.json'), Buffer.from('{"title":"Th\xe9r\xe8se"}', 'latin1'));

describe('api, one request after the other', () => {
  const nana = '{"id":1,"title":"Nana","author":"","year":1880}';
  const table: [line: string[], code: number, stdout: string | RegExp, stderr?: RegExp, input?: string][] = [
    [
      ['/book', '--data', '@book.json'],
      0,
      `{"status":201,"message":"Book created successfully","data":${nana}}\n`,
    ],
    [['/book/1'], 0, new RegExp(`"data":${nana}}\n$`)],
    [['/book', '-d', '-'], 0, /"id":2/, /^$/, '{"title":"Germinal"}'],
    [['/book/2', '-X', 'PUT', '--data', '{"author":"Zola"}'], 0, /"author":"Zola"/],
    [['/books?q=émile zola'], 0, /"data":\[\]/],
    [['/books?limit=1'], 0, /"data":\[\{"id":1,.*\}\]/, /^more follow: add after=\S+ to the path\n$/],
    [['/book/2', '-X', 'DELETE'], 0, /"data":null/],
    [
      ['/book/9'],
      3,
      '{"status":404,"message":"Book not found","data":null}\n',
      /^shelflist: Book not found\n$/,
    ],
    [['/books?x=1'], 1, /^\{"status":400,"message":"Invalid query"/, /^shelflist: /],
    [['/nothing'], 5, /^\{"status":404/, /^shelflist: /],
    [['/book', '--data', '@none.json'], 1, '', /^shelflist: cannot read none\.json \(ENOENT\)\n$/],
    [['/book', '--data', '@latin1.json'], 2, '', /^shelflist: latin1\.json is not UTF-8\n$/],
    [['/book', '--data', '{title}'], 2, '', /^shelflist: the data is not JSON\n$/],
    [
      ['/token', '--data', '{"username":"a","password":"secret"}'],
      2,
      '',
      /^shelflist: other users can read a password/,
    ],
    [['/changes'], 2, '', /use `shelflist watch`/],
  ];
  for (const [line, code, stdout, stderr = /^$/, input] of table)
    test(titleOf(['api', ...line]), async () => {
      const outcome = await run(['api', ...line], { ...(input !== undefined && { input }) });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.code, code);
      if (typeof stdout === 'string') assert.equal(outcome.stdout, stdout);
      else assert.match(outcome.stdout, stdout);
    });
});

test('api sends nothing to a path that leads elsewhere', async (context) => {
  const stranger = await startStranger(context);
  const { port, requests } = stranger;
  for (const path of [
    `//127.0.0.1:${port}/books`,
    `http://127.0.0.1:${port}/books`,
    `\\\\127.0.0.1:${port}/books`,
    `/\\127.0.0.1:${port}/books`,
    `@127.0.0.1:${port}/books`,
    `.127.0.0.1:${port}/books`,
    'books',
    '',
    '/../books',
    '/books/..',
    '/%2e%2e/books',
    '/books#top',
    '/books\t',
    '/bo\noks',
  ]) {
    const { code, stderr } = await run(['api', path]);
    assert.deepEqual([code, stderr.includes('is not the path of a request')], [2, true], path);
  }
  assert.deepEqual(requests, []);
});
