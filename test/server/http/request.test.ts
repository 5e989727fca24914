import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { createClientAddress } from '../../../src/server/http/request.ts';

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
  const table: [what: string, remote: string, forwarded: string | undefined, expected: string][] = [
    ['one address', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty one', '10.0.0.1', '', '10.0.0.1'],
    ['who is not trusted is not believed', '192.0.2.9', '192.0.2.1', '192.0.2.9'],
    [
      'an entry made up by the client, further left, is ignored',
      '10.0.0.1',
      '1.1.1.1, 192.0.2.1',
      '192.0.2.1',
    ],
    ['several proxies', '10.0.0.1', '1.1.1.1, 192.0.2.1, 10.9.9.9,10.0.0.2', '192.0.2.1'],
    ['proxies only', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['with a port', '10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
    ['IPv6', '::1', '2001:DB8::1', '2001:db8::1'],
    ['IPv6 in brackets', '::1', '[2001:db8::1]', '2001:db8::1'],
    ['IPv6 with a port', '::1', '[2001:db8::1]:65535', '2001:db8::1'],
    ['IPv4 mapped into IPv6', '::ffff:10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a mapped proxy', '::ffff:10.0.0.1', '192.0.2.1, ::ffff:10.0.0.2', '192.0.2.1'],
    ['rubbish', '10.0.0.1', 'rubbish', '10.0.0.1'],
    ['left of rubbish nothing is read', '10.0.0.1', '192.0.2.1, rubbish, 10.0.0.2', '10.0.0.2'],
    ['nothing between commas is rubbish', '10.0.0.1', '192.0.2.1,,10.0.0.2', '10.0.0.2'],
    ['unknown', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['brackets around IPv4', '10.0.0.1', '[192.0.2.1]', '10.0.0.1'],
    ['a port too long', '10.0.0.1', '192.0.2.1:123456', '10.0.0.1'],
    ['a zone', '::1', 'fe80::1%eth0', 'fe80::1'],
  ];
  for (const [what, remote, forwarded, expected] of table) {
    test(what, () => {
      assert.equal(addressOf(['10.0.0.0/8', '::1'], remote, forwarded), expected);
    });
  }
});
