import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { program, shelflist } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';

const install = (cwd: string, env: Record<string, string>, words: readonly string[] = []) =>
  shelflist(['completion', 'install', ...words], { cwd, env });

describe('completion install', () => {
  for (const [name, startup] of [
    ['bash', process.platform === 'darwin' ? '.bash_profile' : '.bashrc'],
    ['zsh', '.zshrc'],
  ] as const) {
    test(`${name}: has the start-up file read the script, once, and leaves its other lines`, async (t) => {
      const cwd = await temporaryFolder(t);
      await mkdir(join(cwd, 'dotfiles'));
      await writeFile(join(cwd, 'dotfiles/rc'), 'export MINE=1');
      await symlink('dotfiles/rc', join(cwd, startup));
      const script = join(cwd, `.local/share/shelflist/completion.${name}`);
      const first = await install(cwd, { SHELL: `/bin/${name}` });
      assert.deepEqual([first.code, first.stdout], [0, '']);
      assert.ok(first.stderr.startsWith(`wrote ${script}\n${join(cwd, startup)} reads it from now on\n`));
      const text = await readFile(join(cwd, startup), 'utf8');
      assert.match(
        text,
        /^export MINE=1\n# >>> shelflist completion >>>\n.+\n# <<< shelflist completion <<<\n$/,
      );
      assert.equal(await readFile(script, 'utf8'), (await shelflist(['completion', name], { cwd })).stdout);

      await writeFile(join(cwd, startup), `${text}export LAST=1\n`.replace(/\[ -r .+/, 'old'));
      assert.match((await install(cwd, {}, [name])).stderr, / reads it from now on\n/);
      const again = await install(cwd, {}, [name, '--json']);
      assert.deepEqual(JSON.parse(again.stdout), {
        shell: name,
        script,
        startup: join(cwd, startup),
        isNew: false,
      });
      assert.equal(await readFile(join(cwd, startup), 'utf8'), `${text}export LAST=1\n`);
      assert.ok((await lstat(join(cwd, startup))).isSymbolicLink());
    });
  }

  test('fish: writes a file that fish reads by itself', async (t) => {
    const cwd = await temporaryFolder(t);
    const { stderr } = await install(cwd, { SHELL: '/usr/bin/fish' });
    assert.match(stderr, /^wrote .+\/\.config\/fish\/conf\.d\/shelflist\.fish\nopen a new terminal/);
  });

  test('a start-up file that cannot be read (a dangling link, a folder) is left alone', async (t) => {
    const cwd = await temporaryFolder(t);
    await symlink('gone', join(cwd, '.zshrc'));
    const { code, stderr } = await install(cwd, {}, ['zsh']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /\.zshrc: it is a link to gone, which is missing; put that back, or remove the link$/m,
    );
    assert.ok((await lstat(join(cwd, '.zshrc'))).isSymbolicLink());
    await mkdir(join(cwd, '.bashrc'));
    assert.match((await install(cwd, {}, ['bash'])).stderr, /\.bashrc \(EISDIR\)/);
  });

  for (const [what, env, words] of [
    ['an unknown shell', { SHELL: '/bin/tcsh' }, []],
    ['no shell', {}, []],
    ['PowerShell, which alone knows its profile', {}, ['powershell']],
  ] as const) {
    test(`${what}: 2`, async (t) => {
      assert.equal((await install(await temporaryFolder(t), env, words)).code, 2);
    });
  }

  test('a new bash completes after Tab', { skip: noTerminal }, async (t) => {
    const cwd = await temporaryFolder(t);
    await writeFile(
      join(cwd, '.bashrc'),
      `shelflist() { "${process.execPath}" "${program}" "$@"; }; PS1='ready> '\n`,
    );
    await install(cwd, { SHELL: '/bin/bash' });
    const { screen } = await terminal('bash --noprofile -i', { cwd, env: { INPUTRC: '/dev/null' } }, [
      ['ready>', 'shelflist --vers\t'],
      ['--version', 'exit'],
    ]);
    assert.match(screen, /shelflist --version/);
  });
});
