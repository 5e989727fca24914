import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { checkApp, startApp } from '../support/example-apps.ts';
import { installBeside, installPackage, root } from '../support/packed.ts';

/** The rights that the first line of examples/deno.js names. */
const rights = ['read', 'write', 'net', 'env', 'ffi', 'sys=uid'].map((name) => `--allow-${name}`);
/** The programs themselves: the scripts in front of them do not pass signals on. */
const platform = `${process.platform}-${process.arch}`;
const runtimes: [name: string, program: string, args: string[]][] = [
  [
    'deno',
    `@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
    ['run', '--node-modules-dir=manual', ...rights],
  ],
  ['bun', `@oven/bun-${platform}/bin/bun`, []],
];

describe('examples/ in other runtimes', () => {
  for (const [name, program, args] of runtimes)
    test(`${name}.js serves the catalogue beside its own app`, async (t) => {
      const { tarball } = await installPackage(t);
      const cwd = await installBeside(t, tarball, name);
      await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
      for (const file of [`${name}.js`, 'settings.js'])
        await copyFile(join(root, 'examples', file), join(cwd, file));
      const url = await startApp(t, [...args, `${name}.js`], /^(http.+)\/$/, {
        cwd,
        program: join(cwd, 'node_modules', program),
      });
      await checkApp(t, url);
    });
});
