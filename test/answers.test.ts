import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createJudge } from './support/answers.ts';
import { storedBook } from './support/books.ts';
import { documentText, parseDocument } from './support/document.ts';

const judge = createJudge(parseDocument(await documentText()));

const common = [
  'X-Request-Id: a',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-store',
  'Content-Type: application/json',
];
const head = (status: number, ...more: string[]) => [`HTTP/1.1 ${status} x`, ...common, ...more].join('\r\n');
const body = (status: number, message: string, data: unknown = null) =>
  JSON.stringify({ status, message, data });
const tag = 'ETag: "abc"';
const book = storedBook(7);
const retrieved = 'Book retrieved successfully';

describe('a response that the OpenAPI document lists is accepted', () => {
  const table: [method: string, target: string, head: string, body: string | null][] = [
    ['GET', '/book/7', head(200, tag), body(200, retrieved, book)],
    ['GET', '/catalogue/book/7?x=1', head(200, tag), body(200, retrieved, book)],
    ['GET', 'http://x/book/7', head(200, tag), body(200, retrieved, book)],
    ['HEAD', '/book/7', head(200, tag), ''],
    ['GET', '/books', head(200, tag), null],
    ['GET', '/book/7', head(304, tag), ''],
    ['GET', '/book/7', head(503, 'Retry-After: 5'), body(503, 'Service unavailable')],
    ['GET', '/nothing', head(404), body(404, 'Not found')],
    ['PATCH', '/books', head(405, 'Allow: GET'), body(405, 'Method not allowed')],
    ['PATCH', '/books', head(417), body(417, 'Expectation failed')],
    [
      'GET',
      '/catalogue?q=x',
      [
        'HTTP/1.1 308 x',
        ...common.slice(0, 2),
        'Cache-Control: private, no-cache',
        'Content-Type: text/html; charset=utf-8',
        'Location: ./catalogue/?q=x',
      ].join('\r\n'),
      '',
    ],
    ['', '', head(408), body(408, 'Request timeout')],
    ['OPTIONS', '/books', head(204, 'Allow: GET, OPTIONS').replace(/\r\nContent-Type: .*/, ''), ''],
  ];
  for (const [method, target, head, body] of table) {
    test(`${method} ${target}: ${head.slice(9, 12)}`, () => {
      assert.equal(judge({ method, target, head, body }), undefined);
    });
  }
});

describe('a response that the OpenAPI document does not list is reported', () => {
  const table: [what: string, method: string, target: string, head: string, body: string, why: RegExp][] = [
    ['a status', 'GET', '/book/7', head(201), body(201, retrieved, book), /^no such status$/],
    ['a message', 'GET', '/book/7', head(200, tag), body(200, 'Hello', book), /message must be equal/],
    ['another status in it', 'GET', '/book/7', head(200, tag), body(201, retrieved, book), /status must be/],
    ['no data', 'GET', '/book/7', head(200, tag), '{"status":200,"message":"x"}', /required property 'data'/],
    ['data of an error', 'GET', '/book/7', head(404), body(404, 'Book not found', {}), /data must be null/],
    ['half a book', 'GET', '/book/7', head(200, tag), body(200, retrieved, { id: 7 }), /required property/],
    [
      'more than a book',
      'GET',
      '/book/7',
      head(200, tag),
      body(200, retrieved, { ...book, x: 1 }),
      /additional/,
    ],
    ['no JSON', 'GET', '/book/7', head(200, tag), '{', /must be object/],
    ['no tag', 'GET', '/book/7', head(200), body(200, retrieved, book), /etag/i],
    ['a body of HEAD', 'HEAD', '/book/7', head(200, tag), body(200, retrieved, book), /^a body$/],
    ['a type', 'GET', '/metrics', head(200), 'x 1', /^no such content type: application\/json$/],
    [
      'a header',
      'GET',
      '/livez',
      head(200, 'X-Powered-By: y'),
      body(200, 'Alive'),
      /^no such header: x-powered-by$/,
    ],
    ['no header', 'GET', '/book/7', head(503), body(503, 'Service unavailable'), /^no header Retry-After$/],
    [
      'a header’s value',
      'GET',
      '/readyz',
      head(503, 'Retry-After: x'),
      body(503, 'Service unavailable'),
      /^header Retry-After: /,
    ],
    ['a success of no path', 'GET', '/nothing', head(200), body(200, 'Alive'), /^no such status$/],
  ];
  for (const [what, method, target, head, body, why] of table) {
    test(what, () => {
      assert.match(judge({ method, target, head, body }) ?? '', why);
    });
  }
});
