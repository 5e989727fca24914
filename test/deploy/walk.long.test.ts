import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { placeKeptFile } from '../store/kept-formats.ts';
import { cleanEnvironment } from '../support/cli.ts';
import { blocksOf } from '../support/documents.ts';
import { freePort } from '../support/nginx.ts';
import { root, run } from '../support/packed.ts';
import { temporaryFolder } from '../support/temp.ts';

const skip = process.platform !== 'linux' && 'docs/deployment.md is for Linux';

/** The commands of docs/deployment.md, block by block. */
const blocks = blocksOf('docs/deployment.md').map(({ code }) => code);
const blockWith = (text: string) => blocks.find((code) => code.includes(text)) ?? assert.fail(text);

/** The value of a setting of a unit, with continued lines joined. */
async function valuesOf(unit: string, name: string): Promise<string[]> {
  const text = (await readFile(join(root, 'deploy', unit), 'utf8')).replaceAll('\\\n', '');
  return Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/**
 * Runs the commands and units of docs/deployment.md as an ordinary user, in a folder instead of the root of the machine, and plays
 * the part of systemd, which is not in a container: it hands over the credentials and starts what the units name.
 */
test(
  'docs/deployment.md leads from an empty server to a service that is backed up and restored',
  { skip },
  async (t) => {
    const place = await temporaryFolder(t);
    const port = await freePort();
    const adapt = (text: string) =>
      text
        .replaceAll('sudo ', '')
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll('/usr/local/bin', `${place}/bin`)
        .replaceAll('/var/lib/private/', '/var/lib/')
        .replace(/(?<![\w.])\/(opt|etc|var\/lib)\//g, `${place}/$1/`)
        .replaceAll('%d', `${place}/etc/shelflist`)
        .replaceAll('%%', '%')
        .replaceAll('$$', '$');
    const env = {
      ...cleanEnvironment(place),
      PATH: `${place}/bin:${process.env.PATH ?? ''}`,
      SHELFLIST_URL: `http://127.0.0.1:${port}`,
    };
    const type = async (commands: string, variables: NodeJS.ProcessEnv = env) => {
      const { code, stdout, stderr } = await run('bash', ['-euc', commands], { cwd: place, env: variables });
      assert.equal(code, 0, `${commands}\n${stderr}`);
      return stdout;
    };
    for (const folder of ['bin', 'opt', 'etc', 'var/lib/shelflist', 'var/lib/shelflist-backups'])
      await mkdir(join(place, folder), { recursive: true });

    const install = adapt(blockWith('npm pack'));
    const packing = `npm pack --silent --ignore-scripts ${root}`;
    // npm's cache has all packages, but is not in the folder of the test.
    await type(
      install
        .replace('npm ci\n', '')
        .replace('npm pack', packing)
        .replace('npm install', 'npm install --prefer-offline --no-audit'),
      process.env,
    );

    const run1 = adapt(blockWith('daemon-reload'));
    await type(
      run1
        .split('\n')
        .filter((line) => line.includes('/etc/shelflist'))
        .join('\n'),
    );
    assert.match(await readFile(join(place, 'etc/shelflist/secret'), 'utf8'), /^\S{64}\n$/);

    const environment = (await valuesOf('shelflist.service', 'Environment')).join(' ').split(' ').map(adapt);
    const [start = ''] = await valuesOf('shelflist.service', 'ExecStart');
    const startService = async () => {
      const [program = '', ...args] = adapt(start).split(' ');
      const child = spawn(program, args, {
        cwd: join(place, 'var/lib/shelflist'),
        env: {
          PATH: process.env.PATH,
          PORT: `${port}`,
          ...parse(environment.join('\n')),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exit = once(child, 'exit') as Promise<unknown[]>;
      await new Promise<void>((resolve) => {
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
          if (chunk.includes('listens on')) resolve();
        });
      });
      return async () => {
        child.kill('SIGTERM');
        assert.deepEqual(await exit, [0, null]);
      };
    };
    let stop = await startService();
    t.after(() => stop());
    await type('shelflist health');
    const [added] = (await type(adapt(blockWith('login --username librarian')))).split('\n');
    assert.equal(added, '1\tEmma\tJane Austen\t1815');
    await type(adapt(blockWith('shelflist doctor')));
    assert.match(await (await fetch(`${env.SHELFLIST_URL}/metrics`)).text(), /^shelflist_books 1$/m);

    const [backup = ''] = await valuesOf('shelflist-backup.service', 'ExecStart');
    await type(adapt(backup));
    const [copy = ''] = await readdir(join(place, 'var/lib/shelflist-backups'));
    await type('shelflist delete 1 --yes');

    const restore = adapt(blockWith('shelflist restore')).replace(
      'shelflist-2026-01-31T03-00-00-000Z-3f9a01bc.backup.gz',
      copy,
    );
    await stop();
    await type(restore.replace(/^systemctl .*$/gm, ''));
    stop = await startService();
    assert.equal(await type('shelflist list'), '1\tEmma\tJane Austen\t1815\n');
    await type(
      adapt(blockWith('1.1.0'))
        .replace(/^systemctl .*$/gm, '')
        .replace(/^ln .*$/gm, ''),
    );

    // An upgrade that migrates the store, and the way back.
    await stop();
    await rm(join(place, 'var/lib/shelflist'), { recursive: true });
    await placeKeptFile(1, join(place, 'var/lib/shelflist'));
    stop = await startService();
    const books = await type('shelflist list');
    await stop();
    await type(
      adapt(blockWith('shelflist.db.format-*'))
        .replace(/^systemctl .*$/gm, '')
        .replace(/^ln .*$/gm, ''),
    );
    stop = await startService();
    assert.equal(await type('shelflist list'), books);
  },
);
