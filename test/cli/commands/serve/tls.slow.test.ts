import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { newCertificate } from '../../../support/certificate.ts';
import { readServiceSettings } from '../../../../src/config/read-settings.ts';
import { isReport, workerVariable, type Order } from '../../../../src/cli/commands/serve/messages.ts';
import { gone, program, serve, settings, shelflist, shell, workersOf } from '../../../support/cli.ts';
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
  const { hostname: host, port } = new URL(url);
  const socket = connect({ port: Number(port || 443), host, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  return certificate?.fingerprint256;
}

/** A certificate, and one in its chain that is none. */
const damaged = `${second.cert}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;

const fingerprint = ({ cert }: typeof first) => new X509Certificate(cert).fingerprint256;

for (const workers of ['1', '2']) {
  test(`TLS_CERT_FILE and TLS_KEY_FILE: serve speaks HTTPS, and SIGHUP reads a renewed certificate, with WORKERS=${workers}`, async (t) => {
    const { cwd, service } = await start(t, { WORKERS: workers });
    const { url } = service;
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const env = { NODE_EXTRA_CA_CERTS: 'cert.pem', SHELFLIST_PASSWORD: settings.AUTH_PASSWORD };
    const line = `shelflist login --url ${url} -u librarian && shelflist add -t Emma --url ${url}`;
    const { code, stdout, stderr } = await shell(line, { cwd, env });
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

test('a renewed certificate with a damaged chain is refused, and the workers go on', async (t) => {
  const { cwd, service } = await start(t, { WORKERS: '2' });
  const workers = await workersOf(service);
  await writeCertificate(cwd, { ...second, cert: damaged });
  service.child.kill('SIGHUP');
  await service.said(/the certificate stays as it was: .*one of the certificates cannot be used/);
  assert.equal(await shown(service.url), fingerprint(first));
  assert.deepEqual(await workersOf(service), workers);
  assert.equal(await service.stop(), 0);
});

test('a worker uses a certificate that arrives while it opens its server, and survives one it cannot use', async (t) => {
  const cwd = await temporaryFolder(t);
  const env = { ...settings, TLS_CERT: first.cert, TLS_KEY: first.key, PORT: '0', WORKERS: '2' };
  const found = await readServiceSettings({ env, directory: cwd });
  cluster.setupPrimary({ exec: program, args: ['serve'], execArgv: [], cwd, silent: true });
  const worker = cluster.fork({ [workerVariable]: 'true' });
  t.after(() => worker.process.kill('SIGKILL'));
  const send = (order: Order) => worker.send(order);
  const url = await new Promise<string>((resolve, reject) => {
    worker.on('message', (message) => {
      if (!isReport(message)) return;
      if (message.report === 'listening') resolve(message.url);
      if (message.report === 'failed') reject(new Error(message.message));
      if (message.report !== 'ready') return;
      send({ order: 'start', settings: found, warn: false, passed: undefined });
      send({ order: 'secure', certificate: second });
    });
  });
  assert.equal(await shown(url), fingerprint(second));
  assert.ok(worker.process.stderr);
  const said = once(worker.process.stderr, 'data') as Promise<[Buffer]>;
  send({ order: 'secure', certificate: { ...second, cert: damaged } });
  assert.match(String((await said)[0]), / warning: the certificate of a worker stays as it was: /);
  assert.equal(await shown(url), fingerprint(second));
  send({ order: 'stop' });
  assert.deepEqual(await once(worker, 'exit'), [0, null]);
});

test(
  'all workers killed at once are replaced on port 443',
  { skip: process.getuid?.() !== 0 && 'only root may listen there' },
  async (t) => {
    const cwd = await temporaryFolder(t);
    await writeCertificate(cwd, first);
    const onPort443 = ['sh', '-c', 'exec "$@" --port 443', 'sh']; // The last port wins.
    const env = { ...settings, ...files, WORKERS: '2', HOST: '127.0.44.3' }; // Nothing else listens at this address.
    const service = await serve(t, cwd, env, onPort443);
    assert.equal(service.url, 'https://127.0.44.3:443');
    const workers = await workersOf(service);
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await gone(workers);
    while ((await shown(service.url).catch(() => undefined)) !== fingerprint(first));
    assert.equal(await service.stop(), 0);
  },
);

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
      'with a damaged chain',
      { ...files, TLS_CERT_FILE: 'damaged.pem' },
      /TLS_CERT_FILE.* one of the certificates cannot be used: .+; each must be complete/,
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
      await writeFile(join(cwd, 'damaged.pem'), first.cert + damaged.slice(second.cert.length));
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
  const { code, stderr } = await shelflist(['health', '--url', service.url], { cwd });
  assert.match(stderr, /authority that Node does not know; set NODE_EXTRA_CA_CERTS/);
  assert.equal(code, 5);
});
