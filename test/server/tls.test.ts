import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { connect, type SecureVersion } from 'node:tls';
import { createServer } from '../../src/index.ts';
import { newCertificate } from '../support/certificate.ts';
import { credentials, secretToken } from '../support/service.ts';

/** The configuration of a service with a certificate. */
const config = {
  secretToken,
  authUsername: credentials.username,
  authPassword: credentials.password,
  databaseUrl: 'memory:',
};

test('`tls` makes an https.Server, whose certificate can be replaced while it runs', async (t) => {
  const server = await createServer({ ...config, tls: await newCertificate() });
  t.after(() => server.close());
  assert.ok(server instanceof SecureServer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const fingerprint = async () => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await fingerprint();
  server.setSecureContext(await newCertificate());
  assert.notEqual(await fingerprint(), before);
});

describe('a service with a certificate', () => {
  const table: [version: SecureVersion, isSpoken: boolean][] = [
    ['TLSv1', false],
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ];
  for (const [version, isSpoken] of table)
    test(`${isSpoken ? 'speaks' : 'refuses'} ${version}`, async (t) => {
      const server = await createServer({ ...config, tls: await newCertificate() });
      t.after(() => server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const socket = connect({
        port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
        // The old versions are off in this client, too.
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      t.after(() => socket.destroy());
      if (!isSpoken) {
        await assert.rejects(once(socket, 'secureConnect'), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' });
        return;
      }
      await once(socket, 'secureConnect');
      assert.equal(socket.getProtocol(), version);
      // Forward secrecy and authenticated encryption, which every cipher of TLS 1.3 has.
      assert.match(socket.getCipher().name, /^(ECDHE-.*-(GCM|POLY1305)|TLS_)/);
    });
});
