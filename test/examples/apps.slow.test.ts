import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { before, describe, test } from 'node:test';
import { settings } from '../support/cli.ts';
import { connect } from '../support/client.ts';
import { checkApp, startApp } from '../support/example-apps.ts';
import { freePort } from '../support/nginx.ts';
import { root, run } from '../support/packed.ts';
import { onlyLong, sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const examples = join(root, 'examples');
const modules = join(examples, 'node_modules');
const skip =
  !existsSync(modules) && 'the packages of the examples are not installed (npm --prefix examples ci)';

describe('examples/', { skip }, () => {
  before(async () => {
    // The installed copy, brought up to date with the build.
    const copy = join(modules, 'shelflist');
    for (const name of ['dist', 'package.json']) {
      await rm(join(copy, name), { recursive: true, force: true });
      await cp(join(root, name), join(copy, name), { recursive: true });
    }
  });

  for (const name of ['express.js', 'fastify.js', 'koa.js', 'hono.js'])
    test(`${name} serves the catalogue beside its own app`, async (t) => {
      await checkApp(t, await startApp(t, [join(examples, name)], /^(http.+)\/$/));
    });

  test(
    'nest/ is compiled without an error, and serves the catalogue beside its own controller',
    { skip: onlyLong },
    async (t) => {
      const compile = [join(modules, 'typescript/bin/tsc'), '--project', 'nest'];
      const { code, stdout } = await run(process.execPath, compile, { cwd: examples });
      assert.equal(code, 0, stdout);
      // Nest sends the signal again after its hooks.
      await checkApp(
        t,
        await startApp(t, [join(examples, 'build/nest/nest/main.js')], /^(http.+)\/$/, { exit: 'SIGTERM' }),
      );
    },
  );

  const bundles: [bundler: string, args: string[], output: string, app: string][] = [
    ['esbuild', ['bundle.js'], 'build', 'app.mjs'],
    ['webpack', ['node_modules/webpack/bin/webpack.js'], 'build/webpack', 'app.mjs'],
    ['Vite', ['node_modules/vite/bin/vite.js', 'build', '--ssr', 'hono.js'], 'build/vite', 'hono.js'],
  ];
  for (const [bundler, args, output, app] of bundles.slice(0, sized({ short: 1, long: 3 })))
    test(`a bundle by ${bundler} serves the catalogue anywhere, beside the packages that are external`, async (t) => {
      const { code, stdout, stderr } = await run(process.execPath, args, {
        cwd: examples,
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      assert.equal(code, 0, stdout + stderr);
      const elsewhere = await temporaryFolder(t);
      await cp(join(examples, output), elsewhere, { recursive: true });
      await writeFile(join(elsewhere, 'package.json'), '{"type":"module"}');
      await mkdir(join(elsewhere, 'node_modules'));
      for (const name of ['@photostructure', 'mongodb'])
        await symlink(join(root, 'node_modules', name), join(elsewhere, 'node_modules', name));
      for (const name of readdirSync(elsewhere).filter((each) => each.endsWith('js')))
        assert.ok(
          !readFileSync(join(elsewhere, name), 'utf8').includes(examples),
          `${name} names ${examples}`,
        );
      await checkApp(t, await startApp(t, [join(elsewhere, app)], /^(http.+)\/$/));
    });

  test('compression before the handler leaves the stream of changes alone', async (t) => {
    const app = `
      import compression from 'compression';
      import express from 'express';
      import { createHandler } from 'shelflist';
      import { catalogue } from './settings.js';
      const { prefix, ...config } = catalogue;
      const books = await createHandler({ ...config, databaseUrl: 'memory:' });
      const server = express().use(compression({ threshold: 0 })).use(prefix, books).listen(0, '127.0.0.1', () => {
        console.log('http://127.0.0.1:' + server.address().port + prefix + '/');
      });
      process.once('SIGTERM', async () => {
        server.close();
        await books.close();
        server.closeIdleConnections();
      });`;
    const args = ['--input-type=module', '--eval', app];
    const url = await startApp(t, args, /^(http.+)\/$/, { cwd: examples });
    const client = connect(t, url);
    const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
    const headers = { Authorization: token, 'Accept-Encoding': 'gzip' };
    const list = await fetch(`${url}/books`, { headers });
    assert.equal(list.headers.get('content-encoding'), 'gzip'); // The middleware is at work.
    await list.text();

    const changes = await fetch(`${url}/changes`, { headers, signal: AbortSignal.timeout(10_000) });
    assert.equal(changes.headers.get('content-encoding'), null);
    await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
    let received = '';
    for await (const chunk of changes.body ?? []) {
      received += Buffer.from(chunk as Uint8Array).toString();
      if (received.includes('event: change')) break;
    }
    assert.match(received, /data: {"id":1,"change":"created"}/);
  });

  test('next/ is built, and serves the catalogue beside its own page', { skip: onlyLong }, async (t) => {
    const next = join(modules, 'next/dist/bin/next');
    const built = await run(process.execPath, [next, 'build', 'next'], {
      cwd: examples,
      env: { ...process.env, ...settings, NEXT_TELEMETRY_DISABLED: '1' },
    });
    assert.equal(built.code, 0, built.stderr);
    const port = await freePort();
    const args = [next, 'start', join(examples, 'next'), '-p', String(port), '-H', '127.0.0.1'];
    await checkApp(t, `${await startApp(t, args, /Local: +(http\S+)/, { exit: 143 })}/catalogue`);
  });

  test('supertest.test.js passes', async () => {
    const { code, stdout } = await run(process.execPath, ['--test', 'supertest.test.js'], { cwd: examples });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^# pass 2$/m);
  });
});
