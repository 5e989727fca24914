import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../src/index.ts';
import { newCertificate } from '../../support/certificate.ts';
import { startFakeMongod } from '../../support/fake-mongod.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

/** A server that accepts only TLS, and its certificate. It never answers. */
async function startTls(scope: Scope): Promise<{ place: string; cert: string }> {
  const { cert, key } = await newCertificate();
  const server = createServer({ cert, key });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => server.close());
  return { place: `127.0.0.1:${(server.address() as AddressInfo).port}`, cert };
}

const denied = (name: string) => ({
  ok: 0,
  code: 13,
  codeName: 'Unauthorized',
  errmsg: `not authorized on books to execute command { ${name}: "books", documents: [ { title: "s3cret" } ] }`,
});

const table: [what: string, url: (scope: Scope) => Promise<string> | string, message: RegExp][] = [
  [
    'no server',
    () => 'mongodb://127.0.0.1:1/books',
    /ECONNREFUSED .*; start it, or correct DATABASE_URL \(host, port\)$/,
  ],
  [
    'another name of the replica set',
    async (t) => `mongodb://${await startFakeMongod(t)}/books?replicaSet=wrong`,
    /: its replica set is called rs0, not wrong; set replicaSet=rs0 in DATABASE_URL$/,
  ],
  [
    'a server that is too old',
    async (t) => `mongodb://${await startFakeMongod(t, { maxWireVersion: 8 })}/books`,
    /: the server is too old; upgrade it to MongoDB 4\.\d or later$/,
  ],
  [
    'no login, where one is needed',
    async (t) => `mongodb://${await startFakeMongod(t, {}, denied)}/books`,
    /: the server requires a login; add a user with the role readWrite to DATABASE_URL/,
  ],
  [
    'a set without a primary',
    async (t) => {
      const secondary = { ismaster: false, isWritablePrimary: false, secondary: true, primary: undefined };
      return `mongodb://${await startFakeMongod(t, secondary)}/books`;
    },
    /: its replica set has no primary at present; start its other members: it needs a majority/,
  ],
  [
    'a member whose name leads nowhere',
    async (t) => `mongodb://${await startFakeMongod(t, { hosts: ['127.0.0.1:1'], me: '127.0.0.1:1' })}/books`,
    /names a member 127\.0\.0\.1:1, which cannot be reached from here \(.*ECONNREFUSED.*\); let this machine reach it/,
  ],
  [
    'TLS to a port without it',
    async (t) => `mongodb://${await startFakeMongod(t)}/books?tls=true`,
    /: the server does not speak TLS; remove tls=true/,
  ],
  [
    'a port with TLS without it',
    async (t) => `mongodb://${(await startTls(t)).place}/books`,
    /closed; if the server requires TLS, add tls=true to DATABASE_URL/,
  ],
  [
    'a certificate that nobody vouches for',
    async (t) => `mongodb://${(await startTls(t)).place}/books?tls=true`,
    /: the certificate of the server is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\); name the certificate file of its authority with tlsCAFile/,
  ],
  [
    'the certificate of another authority',
    async (t) => {
      const file = join(await temporaryFolder(t), 'ca.pem');
      await writeFile(file, (await newCertificate()).cert);
      return `mongodb://${(await startTls(t)).place}/books?tls=true&tlsCAFile=${file}`;
    },
    /: the certificate of the server is not accepted \(\w+\); name the certificate file of its authority with tlsCAFile/,
  ],
  [
    'a file of an authority that is missing',
    () => 'mongodb://127.0.0.1:1/books?tls=true&tlsCAFile=/no/such/ca.pem',
    /: cannot read \/no\/such\/ca\.pem \(ENOENT\); correct the path in DATABASE_URL/,
  ],
  [
    'an option that there is not',
    () => 'mongodb://127.0.0.1:1/books?unknownOption=1',
    /unknownoption is not supported; remove or correct this option in DATABASE_URL$/i,
  ],
];

// Some take as long as the driver searches for a server.
describe(
  'a start on MongoDB says what is wrong, and one thing to do about it:',
  { concurrency: true },
  () => {
    for (const [what, url, message] of table)
      test(what, async (t) => {
        await assert.rejects(openStore(await url(t)), (error: Error & { code?: string }) => {
          assert.match(error.message, message);
          assert.equal(error.code, 'store_unusable');
          assert.doesNotMatch(error.message, /s3cret/);
          return true;
        });
      });
  },
);
