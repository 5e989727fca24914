import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Book } from '../../src/catalogue/book.ts';
import { listFields } from '../../src/catalogue/fields.ts';
import { embeddedStore, startService, type Answer } from '../support/service.ts';

const service = await startService({ after }, await embeddedStore({ after }));
const { token } = service;
const ndjson = { 'Content-Type': 'application/x-ndjson' };

const send = (body: unknown, headers = {}) =>
  service.request('POST', '/books', { token, headers, body: body as string });

async function all(): Promise<Book[]> {
  return (await service.request('GET', '/books', { token })).envelope?.data as Book[];
}

const noObject = `a book is a JSON object with ${listFields()}`;
const noText = 'title is not a string';

type Imported = [accepted: number, rejected: { line: number; message: string }[]];

/** The ids are the next ones, in the order of the accepted books. */
function check(answer: Answer, before: readonly Book[], [accepted, rejected]: Imported): void {
  const next = (before.at(-1)?.id ?? 0) + 1;
  const { batch, ...data } = answer.envelope?.data as { batch: string };
  assert.match(batch, /^[0-9a-f]{20}$/);
  assert.deepEqual(
    { ...answer.envelope, data },
    {
      status: 200,
      message: 'Books imported',
      data: { ids: Array.from({ length: accepted }, (_, i) => next + i), rejected },
    },
  );
}

describe('POST /books stores books in order, and gives reasons for the rest', () => {
  const table: { what: string; body: unknown; headers: object; expected: Imported; titles: string[] }[] = [
    {
      what: 'an array',
      body: [{ title: 'A', author: 'B', year: 1 }, { title: 'C' }],
      headers: {},
      expected: [2, []],
      titles: ['A', 'C'],
    },
    { what: 'an empty array', body: [], headers: {}, expected: [0, []], titles: [] },
    {
      what: 'an array, laid out',
      body: ' \r\n[\n{"title":"A"}\n,\t{"title":"B"}\n]\n',
      headers: {},
      expected: [2, []],
      titles: ['A', 'B'],
    },
    {
      what: 'an array with elements that are not books',
      body: [{ title: 'A' }, { title: 7 }, null, {}, [], { title: 'B' }, '{'],
      headers: {},
      expected: [
        3,
        [
          { line: 2, message: noText },
          { line: 3, message: noObject },
          { line: 5, message: noObject },
          { line: 7, message: noObject },
        ],
      ],
      titles: ['A', '', 'B'],
    },
    {
      what: 'an array, as any other type',
      body: '[{"title":"A"}]',
      headers: { 'Content-Type': 'text/plain' },
      expected: [1, []],
      titles: ['A'],
    },
    {
      what: 'lines',
      body: '{"title":"A"}\n{"title":"B"}\n',
      headers: ndjson,
      expected: [2, []],
      titles: ['A', 'B'],
    },
    {
      what: 'lines, the last without an end',
      body: '{"title":"A"}\r\n{"title":"B"}',
      headers: ndjson,
      expected: [2, []],
      titles: ['A', 'B'],
    },
    { what: 'no lines', body: '', headers: ndjson, expected: [0, []], titles: [] },
    {
      what: 'a type with a parameter',
      body: '{"title":"A"}',
      headers: { 'Content-Type': 'Application/X-NDJSON; charset=utf-8' },
      expected: [1, []],
      titles: ['A'],
    },
    {
      what: 'lines that are not books',
      body: '\n{"title":"A"}\n{"title"\n \n[{"title":"B"}]\n{"title":"C\u2028"}',
      headers: ndjson,
      expected: [
        2,
        [
          { line: 3, message: 'not JSON' },
          { line: 5, message: noObject },
        ],
      ],
      titles: ['A', 'C\u2028'],
    },
    {
      what: 'a book longer than one alone may be',
      body: [{ title: 'A' }, { title: 'x'.repeat(1024 * 1024) }, { title: 'é'.repeat(600_000) }],
      headers: {},
      expected: [
        1,
        [
          { line: 2, message: 'longer than 1048576 bytes' },
          { line: 3, message: 'longer than 1048576 bytes' },
        ],
      ],
      titles: ['A'],
    },
    {
      what: 'members that are ignored',
      body: [{ id: 99, title: 'A', unknown: '1' }],
      headers: {},
      expected: [1, []],
      titles: ['A'],
    },
  ];
  for (const { what, body, headers, expected, titles } of table) {
    test(what, async () => {
      const before = await all();
      check(await send(body, headers), before, expected);
      const added = (await all()).slice(before.length);
      assert.deepEqual(
        added.map((book) => book.title),
        titles,
      );
    });
  }

  test('5,000 books get consecutive ids', async () => {
    const before = await all();
    const books = Array.from({ length: 5000 }, (_, i) => ({ title: String(i) }));
    check(await send(books), before, [5000, []]);
    assert.deepEqual(
      (await all()).slice(before.length).map((book) => book.title),
      books.map((book) => book.title),
    );
  });
});

describe('a refused POST /books stores nothing', () => {
  const table: { what: string; body: unknown; headers: object; status: number; message: string }[] = [
    { what: 'no body', body: '', headers: {}, status: 400, message: 'Invalid input' },
    { what: 'an object', body: { title: 'A' }, headers: {}, status: 400, message: 'Invalid input' },
    { what: 'a text', body: '"[]"', headers: {}, status: 400, message: 'Invalid input' },
    {
      what: 'lines that do not say so',
      body: '{"title":"A"}\n{"title":"B"}',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array that is cut off',
      body: '[{"title":"A"}',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array with something behind it',
      body: '[{"title":"A"}]x',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array with a comma too many',
      body: '[{"title":"A"},]',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array with no JSON in it',
      body: '[{"title":"A"},{"title"}]',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array behind a no-break space',
      body: '\u00a0[]',
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'an array that is not UTF-8',
      body: Buffer.from('[{"title":"\xe9"}]', 'latin1'),
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'lines that are not UTF-8',
      body: Buffer.from('{"title":"A"}\n"\xe9"', 'latin1'),
      headers: ndjson,
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'more than 10,000 elements that are not books',
      body: `[${'1,'.repeat(10_000)}1]`,
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    {
      what: 'more than 100,000 elements',
      body: Buffer.from(`[${'{},'.repeat(100_000)}{}]`),
      headers: {},
      status: 413,
      message: 'Request body too large',
    },
    {
      what: 'more than 100,000 lines',
      body: '{}\n'.repeat(100_001),
      headers: ndjson,
      status: 413,
      message: 'Request body too large',
    },
    {
      what: 'nested endlessly',
      body: '['.repeat(1_000_000),
      headers: {},
      status: 400,
      message: 'Invalid input',
    },
    // Its length is refused before it is sent.
    {
      what: 'more than 10 MiB',
      body: '',
      headers: { 'Content-Length': 10 * 1024 * 1024 + 1, Expect: '100-continue' },
      status: 413,
      message: 'Request body too large',
    },
    {
      what: 'compressed',
      body: '[]',
      headers: { 'Content-Encoding': 'gzip' },
      status: 415,
      message: 'Unsupported content encoding',
    },
  ];
  for (const { what, body, headers, status, message } of table) {
    test(what, async () => {
      const before = (await all()).length;
      const answer = await send(body, headers);
      assert.deepEqual(answer.envelope, { status, message, data: null });
      assert.equal((await all()).length, before);
    });
  }

  test('more than 10 MiB without a Content-Length', async () => {
    const before = (await all()).length;
    const body = `[${'{"title":"A"},'.repeat(800_000)}{}]`;
    const headers = { 'Transfer-Encoding': 'chunked' };
    assert.equal((await send(body, headers)).status, 413);
    assert.equal((await all()).length, before);
  });

  test('without a token', async () => {
    const { envelope } = await service.request('POST', '/books', { body: [] });
    assert.equal(envelope?.message, 'Authorization token required');
  });
});

test('100,000 books in one body are stored', async (context) => {
  const other = await startService(context, { databaseUrl: 'memory:' });
  const answer = await other.request('POST', '/books', {
    token: other.token,
    body: `[${'{},'.repeat(99_999)}{}]`,
  });
  assert.equal((answer.envelope?.data as { ids: number[] }).ids.at(-1), 100_000);
});

test('/books supports GET and POST', async () => {
  const { status, headers } = await service.request('PUT', '/books', { token });
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST, OPTIONS']);
});

test('the limit of POST /books is a setting', async (context) => {
  const small = await startService(context, { bulkLimitBytes: 20 });
  const options = { token: small.token, body: '[{"title":"ABCDEFGHIJ"}]' };
  assert.equal((await small.request('POST', '/books', options)).status, 413);
  assert.equal((await small.request('POST', '/books', { ...options, body: '[{"title":"A"}]' })).status, 200);
});
