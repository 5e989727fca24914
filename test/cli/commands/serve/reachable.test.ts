import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, test } from 'node:test';
import { describeReach } from '../../../../src/cli/commands/serve/advise.ts';

const rest = { netmask: '', mac: '', cidr: null };
const interfaces: Record<string, NetworkInterfaceInfo[]> = {
  lo: [{ ...rest, address: '127.0.0.1', family: 'IPv4', internal: true }],
  eth0: [
    { ...rest, address: '192.0.2.7', family: 'IPv4', internal: false },
    { ...rest, address: '2001:db8::7', family: 'IPv6', internal: false, scopeid: 0 },
    { ...rest, address: 'fe80::7', family: 'IPv6', internal: false, scopeid: 2 },
  ],
};

describe('how other machines reach a service', () => {
  const [four, six] = ['http://192.0.2.7:8080', 'http://[2001:db8::7]:8080'];
  const table: [url: string, reachable: string[], isPlain: boolean][] = [
    ['http://127.0.0.1:8080', [], false],
    ['http://localhost:8080', [], false],
    ['http://[::1]:8080', [], false],
    ['http://0.0.0.0:8080/books', [`${four}/books`], true],
    ['http://[::]:8080', [four, six], true],
    ['http://192.0.2.7:8080', [], true],
    ['https://0.0.0.0:8443', ['https://192.0.2.7:8443'], false],
  ];
  for (const [url, reachable, isPlain] of table) {
    test(url, () => {
      const lines = describeReach(url, interfaces);
      const found = lines.flatMap((line) => /^from other machines: {2}(.+)$/.exec(line)?.[1] ?? []);
      assert.deepEqual(found, reachable);
      assert.equal(
        lines.some((line) => line.startsWith('this is plain HTTP')),
        isPlain,
      );
    });
  }
});
