import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { createClientAddress, readRequestedPath, readTraceId } from '../../../src/server/http/request.ts';

const addressOf = (trusted: readonly string[], remoteAddress: string | undefined, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(trusted)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
};

describe('without trusted proxies, the client address is that of the connection', () => {
  const table: [remote: string | undefined, expected: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    [undefined, ''],
  ];
  for (const [remote, expected] of table) {
    test(String(remote), () => {
      assert.equal(addressOf([], remote, '198.51.100.7'), expected);
    });
  }
});

describe('behind trusted proxies 10.0.0.0/8 and ::1, the client address is read from the header', () => {
  const table: { what: string; remote: string; forwarded: string | undefined; expected: string }[] = [
    { what: 'one address', remote: '10.0.0.1', forwarded: '192.0.2.1', expected: '192.0.2.1' },
    { what: 'no header', remote: '10.0.0.1', forwarded: undefined, expected: '10.0.0.1' },
    { what: 'an empty one', remote: '10.0.0.1', forwarded: '', expected: '10.0.0.1' },
    {
      what: 'who is not trusted is not believed',
      remote: '192.0.2.9',
      forwarded: '192.0.2.1',
      expected: '192.0.2.9',
    },
    {
      what: 'an entry made up by the client, further left, is ignored',
      remote: '10.0.0.1',
      forwarded: '1.1.1.1, 192.0.2.1',
      expected: '192.0.2.1',
    },
    {
      what: 'several proxies',
      remote: '10.0.0.1',
      forwarded: '1.1.1.1, 192.0.2.1, 10.9.9.9,10.0.0.2',
      expected: '192.0.2.1',
    },
    { what: 'proxies only', remote: '10.0.0.1', forwarded: '10.0.0.3, 10.0.0.2', expected: '10.0.0.3' },
    { what: 'with a port', remote: '10.0.0.1', forwarded: '192.0.2.1:4711', expected: '192.0.2.1' },
    { what: 'IPv6', remote: '::1', forwarded: '2001:DB8::1', expected: '2001:db8::1' },
    { what: 'IPv6 in brackets', remote: '::1', forwarded: '[2001:db8::1]', expected: '2001:db8::1' },
    { what: 'IPv6 with a port', remote: '::1', forwarded: '[2001:db8::1]:65535', expected: '2001:db8::1' },
    {
      what: 'IPv4 mapped into IPv6',
      remote: '::ffff:10.0.0.1',
      forwarded: '::ffff:192.0.2.1',
      expected: '192.0.2.1',
    },
    {
      what: 'a mapped proxy',
      remote: '::ffff:10.0.0.1',
      forwarded: '192.0.2.1, ::ffff:10.0.0.2',
      expected: '192.0.2.1',
    },
    { what: 'rubbish', remote: '10.0.0.1', forwarded: 'rubbish', expected: '10.0.0.1' },
    {
      what: 'left of rubbish nothing is read',
      remote: '10.0.0.1',
      forwarded: '192.0.2.1, rubbish, 10.0.0.2',
      expected: '10.0.0.2',
    },
    {
      what: 'nothing between commas is rubbish',
      remote: '10.0.0.1',
      forwarded: '192.0.2.1,,10.0.0.2',
      expected: '10.0.0.2',
    },
    { what: 'unknown', remote: '10.0.0.1', forwarded: 'unknown', expected: '10.0.0.1' },
    { what: 'brackets around IPv4', remote: '10.0.0.1', forwarded: '[192.0.2.1]', expected: '10.0.0.1' },
    { what: 'a port too long', remote: '10.0.0.1', forwarded: '192.0.2.1:123456', expected: '10.0.0.1' },
    { what: 'a zone', remote: '::1', forwarded: 'fe80::1%eth0', expected: 'fe80::1' },
  ];
  for (const { what, remote, forwarded, expected } of table) {
    test(what, () => {
      assert.equal(addressOf(['10.0.0.0/8', '::1'], remote, forwarded), expected);
    });
  }
});

describe('the path of a link is of this origin', () => {
  const table: { url: string; originalUrl?: string; publicPath?: string; prefix?: string; path: string }[] = [
    { url: '/books?limit=1', path: '/books' },
    { url: '//evil.example/books', path: '/evil.example/books' },
    { url: '///evil.example/books', path: '/evil.example/books' },
    { url: '/\\evil.example/books', path: '/evil.example/books' },
    { url: '\\\\evil.example/books', path: '/evil.example/books' },
    { url: 'http://evil.example//other.example/books', path: '/other.example/books' },
    { url: '/books', originalUrl: '//evil.example/books', path: '/evil.example/books' },
    { url: '/api//evil.example', prefix: '/api', publicPath: '/public', path: '/public//evil.example' },
    { url: '/api//evil.example', prefix: '/api', publicPath: '', path: '/evil.example' },
  ];
  for (const { url, originalUrl, publicPath, prefix = '', path } of table)
    test([url, originalUrl, publicPath].join(' '), () => {
      const request = { url, originalUrl } as unknown as IncomingMessage;
      assert.equal(readRequestedPath(request, { prefix, publicPath }), path);
    });
});

describe('the trace of a request is that of its traceparent, if it is valid', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const span = '00f067aa0ba902b7';
  const table: [traceparent: string, expected: string | undefined][] = [
    [`00-${trace}-${span}-01`, trace],
    [`01-${trace}-${span}-00-what a later version adds`, trace],
    [`00-${trace}-${span}-01-more`, undefined],
    [`ff-${trace}-${span}-01`, undefined],
    [`00-${'0'.repeat(32)}-${span}-01`, undefined],
    [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
    [`00-${trace.toUpperCase()}-${span}-01`, undefined],
    [`00-${trace}-${span}`, undefined],
  ];
  for (const [traceparent, expected] of table) {
    test(traceparent, () => {
      assert.equal(readTraceId({ headers: { traceparent } } as unknown as IncomingMessage), expected);
    });
  }
});
