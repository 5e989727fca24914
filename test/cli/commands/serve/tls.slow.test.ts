import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { newCertificate } from '../../../support/certificate.ts';
import { bash, serve, settings, shell } from '../../../support/cli.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';

const [first, second] = await Promise.all([newCertificate(), newCertificate()]);
const files = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };

async function writeCertificate(cwd: string, { cert, key }: typeof first) {
  await writeFile(join(cwd, 'cert.pem'), cert);
  await writeFile(join(cwd, 'key.pem'), key);
}

async function start(t: Scope, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(t);
  await writeCertificate(cwd, first);
  const service = await serve(t, cwd, { ...settings, ...files, ...env });
  return { cwd, service };
}

/** The certificate that a new connection is shown. */
async function shown(url: string): Promise<string | undefined> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  return certificate?.fingerprint256;
}

const fingerprint = ({ cert }: typeof first) => new X509Certificate(cert).fingerprint256;

for (const workers of ['1', '2']) {
  test(`TLS_CERT_FILE and TLS_KEY_FILE: serve speaks HTTPS, and SIGHUP reads a renewed certificate, with WORKERS=${workers}`, async (t) => {
    const { cwd, service } = await start(t, { WORKERS: workers });
    const { url } = service;
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const env = { NODE_EXTRA_CA_CERTS: 'cert.pem', SHELFLIST_PASSWORD: settings.AUTH_PASSWORD };
    const line = `shelflist login --url ${url} -u librarian && shelflist add -t Emma --url ${url}`;
    const { code, stdout, stderr } = await bash(line, { cwd, env });
    assert.deepEqual([code, stdout], [0, '1\tEmma\t\t0\n'], stderr);

    assert.equal(await shown(url), fingerprint(first));
    await writeCertificate(cwd, second);
    service.child.kill('SIGHUP');
    await service.said(/new connections use the certificate as it is now/);
    // Workers get it by a message: each of the next connections may still go to one that has not read it.
    while ((await shown(url)) !== fingerprint(second));
    assert.equal(await service.stop(), 0);
  });
}

test('a renewed certificate that does not fit is refused, and the service goes on with the one before', async (t) => {
  const { cwd, service } = await start(t);
  await writeFile(join(cwd, 'cert.pem'), second.cert);
  service.child.kill('SIGHUP');
  await service.said(
    /the certificate stays as it was: .*TLS_CERT_FILE.*TLS_KEY_FILE.* does not belong to the certificate/,
  );
  assert.equal(await shown(service.url), fingerprint(first));
});

test('a service with HTTPS stops while connections wait in the middle of a handshake, or without one', async (t) => {
  const { service } = await start(t);
  const port = Number(new URL(service.url).port);
  const plain = connectPlain(port, '127.0.0.1');
  plain.on('error', () => undefined);
  const talking = connectPlain(port, '127.0.0.1');
  talking.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(talking, 'close');
  assert.equal(await shown(service.url), fingerprint(first));
  assert.equal(await service.stop(), 0);
});

describe('serve does not start', () => {
  const table: [what: string, env: Record<string, string>, says: RegExp][] = [
    ['without a key', { TLS_CERT_FILE: 'cert.pem' }, /TLS_CERT_FILE is set, but not TLS_KEY or TLS_KEY_FILE/],
    [
      'without a certificate',
      { TLS_KEY_FILE: 'key.pem' },
      /TLS_KEY_FILE is set, but not TLS_CERT or TLS_CERT_FILE/,
    ],
    ['without the file', { ...files, TLS_CERT_FILE: 'none.pem' }, /cannot read .+none\.pem/],
    [
      'with a key as the certificate',
      { ...files, TLS_CERT_FILE: 'key.pem' },
      /the certificate is not one in PEM/,
    ],
    [
      'with a certificate as the key',
      { ...files, TLS_KEY_FILE: 'cert.pem' },
      /the private key is not one in PEM/,
    ],
    [
      'with the key of another',
      { ...files, TLS_KEY_FILE: 'other.pem' },
      /does not belong to the certificate/,
    ],
  ];
  for (const [what, env, says] of table) {
    test(what, async (t) => {
      const cwd = await temporaryFolder(t);
      await writeCertificate(cwd, first);
      await writeFile(join(cwd, 'other.pem'), second.key);
      const outcome = await shell('shelflist serve --port 0', { cwd, env: { ...settings, ...env } });
      assert.match(outcome.stderr, says);
      assert.match(outcome.stderr, /^shelflist: .+\n$/);
      assert.doesNotMatch(outcome.stderr, /PRIVATE|BEGIN/);
      assert.equal(outcome.code, 1);
    });
  }
});

test('a client that does not know the authority names NODE_EXTRA_CA_CERTS', async (t) => {
  const { cwd, service } = await start(t);
  const { code, stderr } = await shell(`shelflist health --url ${service.url}`, { cwd });
  assert.match(stderr, /authority that Node does not know; set NODE_EXTRA_CA_CERTS/);
  assert.equal(code, 5);
});
