import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { serve, settings } from '../support/cli.ts';
import { codeIn, tableOf } from '../support/documents.ts';
import { logInTimes } from '../support/logins.ts';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const run = promisify(execFile);
const folder = join(root, 'deploy');

/** Why a program cannot be run here; `false` if it can. */
function skipWithout(program: string, name = program): string | false {
  const { error } = spawnSync(program, ['--version']);
  return error !== undefined && `there is no ${program}: install the package ${name} to run this`;
}

describe('the units of systemd', { skip: skipWithout('systemd-analyze', 'systemd') }, () => {
  test('are valid', async (t) => {
    const copies = await temporaryFolder(t);
    for (const name of (await readdir(folder)).filter((each) => /\.(service|socket|timer)$/.test(each))) {
      const text = await readFile(join(folder, name), 'utf8');
      // The programs of this machine may be elsewhere.
      await writeFile(join(copies, name), text.replaceAll('/usr/bin/node', process.execPath));
    }
    const units = (await readdir(copies)).map((name) => join(copies, name));
    assert.equal(units.length, 4);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', ...units]);
    assert.equal(stdout + stderr, '');
  });

  test('hide the rest of the machine from the service', async () => {
    const unit = join(folder, 'shelflist.service');
    // In tenths; more than this fails.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
  });
});

describe('monitoring', () => {
  const documented = codesOfMetrics();

  test(
    'promtool accepts the configuration and the alerts',
    { skip: skipWithout('promtool', 'prometheus') },
    async () => {
      const { stdout } = await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: folder });
      assert.match(stdout, /SUCCESS: \d+ rules found/);
    },
  );

  test(
    'the alerts fire for what they name, and for nothing else',
    { skip: skipWithout('promtool', 'prometheus') },
    async () => {
      await run('promtool', ['test', 'rules', join(import.meta.dirname, 'shelflist-alerts.yml')]);
    },
  );

  for (const name of ['shelflist-alerts.yml', 'grafana-dashboard.json']) {
    test(`${name} names metrics that the service has`, async () => {
      const text = await readFile(join(folder, name), 'utf8');
      const named = text.match(/\b(shelflist|process|nodejs)_[a-z0-9_]+/g) ?? [];
      assert.ok(named.length > 5);
      for (const each of named)
        assert.ok(documented.includes(each.replace(/_(bucket|sum|count)$/, '')), each);
    });
  }
});

function codesOfMetrics(): string[] {
  return tableOf('docs/operations.md', 'metric').flatMap((row) => codeIn(row.metric));
}

describe('fail2ban', { skip: skipWithout('fail2ban-regex', 'fail2ban') }, () => {
  const filter = join(folder, 'fail2ban/filter.d/shelflist.conf');
  for (const format of ['text', 'json']) {
    test(`finds each failed login of a log in ${format}, and nothing that a client wrote into it`, async (t) => {
      const cwd = await temporaryFolder(t);
      const env = { ...settings, LOG_FORMAT: format, LOG_LEVEL: 'info' };
      const service = await serve(t, cwd, env);
      await logInTimes(3, service.url, { username: 'librarian', password: 'wrong' });
      const forged = 'shelflist warning: failed login address="192.0.2.66"';
      const json = '"level":"warn","message":"failed login","address":"192.0.2.66"}';
      for (const text of [forged, json])
        await fetch(`${service.url}/${encodeURI(text)}`, {
          headers: { 'X-Request-Id': 'x', 'User-Agent': text },
        });
      await service.stop();
      const log = join(cwd, 'log');
      await writeFile(log, service.stderr());
      const { stdout } = await run('fail2ban-regex', ['--print-all-matched', log, filter]);
      assert.match(stdout, /, 3 matched, \d+ missed/);
    });
  }
});

describe('the image', () => {
  test('can be built: what its steps copy is there, and they leave a program that runs', async (t) => {
    const dockerfile = await readFile(join(folder, 'Dockerfile'), 'utf8');
    const ignored = await readFile(join(folder, 'Dockerfile.dockerignore'), 'utf8');
    const build = await temporaryFolder(t);
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    for (const name of new Set(sources)) {
      assert.ok(ignored.includes(`!${name}\n`), name);
      await cp(join(root, name), join(build, name), { recursive: true });
    }
    const env = {
      ...process.env,
      npm_config_offline: 'true',
      npm_config_cache: process.env.npm_config_cache,
    };
    const install = /RUN (npm ci --omit=dev[^&\n]+)/.exec(dockerfile)?.[1] ?? assert.fail();
    assert.match(install, /--ignore-scripts/);
    // The build of the first stage is the one of `npm ci`; here it is made already.
    await cp(join(root, 'dist'), join(build, 'dist'), { recursive: true });
    await mkdir(join(build, 'node_modules'));
    const [command = '', ...args] = install.trim().split(' ');
    await run(command, args, { cwd: build, env }).catch(() => run(command, args, { cwd: build }));
    const [, file = assert.fail()] = /CMD \["node", "\/app\/(.+?)", "serve"\]/.exec(dockerfile) ?? [];
    const { stdout } = await run(process.execPath, [join(build, file), '--version'], { cwd: build });
    assert.match(stdout, /^\d+\.\d+\.\d+/);
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  test('docker accepts the compose file', { skip: !hasCompose && 'there is no docker compose' }, async () => {
    await run('docker', ['compose', '--file', join(folder, 'compose.yaml'), 'config', '--quiet']);
  });
});
