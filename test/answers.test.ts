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
  const table: { method: string; target: string; head: string; body: string | null }[] = [
    { method: 'GET', target: '/book/7', head: head(200, tag), body: body(200, retrieved, book) },
    {
      method: 'GET',
      target: '/catalogue/book/7?x=1',
      head: head(200, tag),
      body: body(200, retrieved, book),
    },
    { method: 'GET', target: 'http://x/book/7', head: head(200, tag), body: body(200, retrieved, book) },
    { method: 'HEAD', target: '/book/7', head: head(200, tag), body: '' },
    { method: 'GET', target: '/books', head: head(200, tag), body: null },
    { method: 'GET', target: '/book/7', head: head(304, tag), body: '' },
    {
      method: 'GET',
      target: '/book/7',
      head: head(503, 'Retry-After: 5'),
      body: body(503, 'Service unavailable'),
    },
    { method: 'GET', target: '/nothing', head: head(404), body: body(404, 'Not found') },
    {
      method: 'PATCH',
      target: '/books',
      head: head(405, 'Allow: GET'),
      body: body(405, 'Method not allowed'),
    },
    { method: 'PATCH', target: '/books', head: head(417), body: body(417, 'Expectation failed') },
    {
      method: 'GET',
      target: '/catalogue?q=x',
      head: [
        'HTTP/1.1 308 x',
        ...common.slice(0, 2),
        'Cache-Control: private, no-cache',
        'Content-Type: text/html; charset=utf-8',
        'Location: ./catalogue/?q=x',
      ].join('\r\n'),
      body: '',
    },
    { method: '', target: '', head: head(408), body: body(408, 'Request timeout') },
    {
      method: 'OPTIONS',
      target: '/books',
      head: head(204, 'Allow: GET, OPTIONS').replace(/\r\nContent-Type: .*/, ''),
      body: '',
    },
  ];
  for (const { method, target, head, body } of table) {
    test(`${method} ${target}: ${head.slice(9, 12)}`, () => {
      assert.equal(judge({ method, target, head, body }), undefined);
    });
  }
});

describe('a response that the OpenAPI document does not list is reported', () => {
  const table: { what: string; method: string; target: string; head: string; body: string; why: RegExp }[] = [
    {
      what: 'a status',
      method: 'GET',
      target: '/book/7',
      head: head(201),
      body: body(201, retrieved, book),
      why: /^no such status$/,
    },
    {
      what: 'a message',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: body(200, 'Hello', book),
      why: /message must be equal/,
    },
    {
      what: 'another status in it',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: body(201, retrieved, book),
      why: /status must be/,
    },
    {
      what: 'no data',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: '{"status":200,"message":"x"}',
      why: /required property 'data'/,
    },
    {
      what: 'data of an error',
      method: 'GET',
      target: '/book/7',
      head: head(404),
      body: body(404, 'Book not found', {}),
      why: /data must be equal to constant/,
    },
    {
      what: 'half a book',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: body(200, retrieved, { id: 7 }),
      why: /required property/,
    },
    {
      what: 'more than a book',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: body(200, retrieved, { ...book, x: 1 }),
      why: /additional/,
    },
    {
      what: 'no JSON',
      method: 'GET',
      target: '/book/7',
      head: head(200, tag),
      body: '{',
      why: /must be object/,
    },
    {
      what: 'no tag',
      method: 'GET',
      target: '/book/7',
      head: head(200),
      body: body(200, retrieved, book),
      why: /etag/i,
    },
    {
      what: 'a body of HEAD',
      method: 'HEAD',
      target: '/book/7',
      head: head(200, tag),
      body: body(200, retrieved, book),
      why: /^a body$/,
    },
    {
      what: 'a type',
      method: 'GET',
      target: '/metrics',
      head: head(200),
      body: 'x 1',
      why: /^no such content type: application\/json$/,
    },
    {
      what: 'a header',
      method: 'GET',
      target: '/livez',
      head: head(200, 'X-Powered-By: y'),
      body: body(200, 'Alive'),
      why: /^no such header: x-powered-by$/,
    },
    {
      what: 'no header',
      method: 'GET',
      target: '/book/7',
      head: head(503),
      body: body(503, 'Service unavailable'),
      why: /^no header Retry-After$/,
    },
    {
      what: 'a header’s value',
      method: 'GET',
      target: '/readyz',
      head: head(503, 'Retry-After: x'),
      body: body(503, 'Service unavailable'),
      why: /^header Retry-After: /,
    },
    {
      what: 'a success of no path',
      method: 'GET',
      target: '/nothing',
      head: head(200),
      body: body(200, 'Alive'),
      why: /^no such status$/,
    },
  ];
  for (const { what, method, target, head, body, why } of table) {
    test(what, () => {
      assert.match(judge({ method, target, head, body }) ?? '', why);
    });
  }
});
