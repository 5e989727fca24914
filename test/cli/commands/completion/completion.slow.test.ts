import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { exportFormats } from '../../../../src/formats/file-formats.ts';
import { program, run, shelflist, shell, titleOf, type Command } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';

const cwd = await temporaryFolder({ after });
await mkdir(join(cwd, 'here'));
await writeFile(join(cwd, 'here', 'books.csv'), '');
await writeFile(join(cwd, 'here', 'my books.csv'), '');

/** Why a test that needs this shell cannot run here; `false` when it can. */
const missing = (name: string) =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0 ? false : `needs the shell ${name}`;

const books = [
  'list',
  'suggest',
  'stats',
  'authors',
  'get',
  'add',
  'update',
  'edit',
  'change',
  'delete',
  'duplicates',
  'merge',
  'watch',
];
const visible = [
  ...['serve', 'init', 'passwd', 'config', 'doctor', 'health', 'backup', 'restore', 'verify', 'copy'],
  ...['login', 'logout', 'status', 'open'],
  ...books,
  ...['history', 'revert', 'trash', 'undo'],
  ...['import', 'export', 'completion', 'help'],
];
const shells = ['bash', 'zsh', 'fish', 'powershell'];
const formats = ['table', 'json', 'ndjson', 'csv'];
const ofList = [
  ...['--url', '--username', '--format', '--json'],
  ...['--in-title', '--in-author', '--title', '--author', '--year', '--year-from', '--year-to'],
  ...['--exact', '--sort', '--limit', '--count', '--help'],
];

describe('complete prints one candidate per line', () => {
  const table: [words: string[], values: string[]][] = [
    [[''], visible],
    [[], visible],
    [['l'], ['login', 'logout', 'list']],
    [['comp'], ['completion']],
    [['nothing-like-it'], []],
    [['-'], ['--version', '--width', '--no-pager', '--help']],
    [['--v'], ['--version']],
    [['list', '-'], ofList],
    [['list', '--'], ofList],
    [['list', '--f'], ['--format']],
    [['list', '--format', ''], formats],
    [['list', '--format', 'js'], ['json']],
    [['list', '--format='], formats.map((value) => `--format=${value}`)],
    [['list', '--format=c'], ['--format=csv']],
    [['list', '--format', '='], formats],
    [['list', '--format', '=', 'c'], ['csv']],
    [
      ['list', '--sort', ''],
      ['best', 'id', '-id', 'title', '-title', 'author', '-author', 'year', '-year'],
    ],
    [
      ['list', '--sort', '-'],
      ['-id', '-title', '-author', '-year'],
    ],
    [['list', '--sort', 'title', '--f'], ['--format']],
    [
      ['list', 'jane', 'austen', '--y'],
      ['--year', '--year-from', '--year-to'],
    ],
    [['list', 'jane', '--sort', '-y'], ['-year']],
    [['list', '--limit', ''], []],
    [['list', '--format', '=', 'csv', '--s'], ['--sort']],
    [['list', '--url', ''], []],
    [['list', '--url', '-'], []],
    [['list', '-u', '-'], []],
    [['list', '--json', ''], []],
    [['list', '--nothing='], []],
    [['add', '--title', ''], []],
    [['config', ''], ['show']],
    [['config', 'show', '--f'], ['--format']],
    [['config', 'show', '--format', ''], formats],
    [['import', ''], []],
    [['import', 'books.csv', '--on'], ['--on-duplicate']],
    [
      ['import', 'books.csv', '--on-duplicate', ''],
      ['add', 'skip', 'update'],
    ],
    [['export', 'books.csv', '--format', ''], exportFormats],
    [
      ['completion', ''],
      [...shells, 'install'],
    ],
    [['completion', 'install', ''], shells],
    [
      ['suggest', ''],
      ['title', 'author'],
    ],
    [['completion', 'b'], ['bash']],
    [['get', '1', ''], []],
  ];
  for (const [words, values] of table) {
    test(`shelflist ${words.join(' ')}`, async () => {
      const { code, stdout, stderr } = await shelflist(['complete', '--', ...words], { cwd });
      const lines = stdout.split('\n').slice(0, -1);
      assert.deepEqual(
        lines.map((line) => line.split('\t')[0]),
        values,
      );
      for (const line of lines) assert.match(line, /^[^\t]+(\t[^\t]+)?$/);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    });
  }

  test("shelflist help ''", async () => {
    const { stdout } = await shelflist(['complete', '--', 'help', ''], { cwd });
    assert.match(stdout, /^list\t/m);
  });

  test('candidates have descriptions', async () => {
    const { stdout } = await shelflist(['complete', '--', 'lis'], { cwd });
    assert.equal(stdout, 'list\tlist or search the books\n');
  });

  test('a reader that stops early is not an error', async () => {
    const { code, stderr } = await shell("set -o pipefail; shelflist complete -- '' | head -1", { cwd });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });
});

/** The script, as the program prints it. */
async function scriptFor(name: string): Promise<string> {
  const { code, stdout, stderr } = await shelflist(['completion', name], { cwd });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

describe('in bash', () => {
  /** The content of COMPREPLY when bash completes these words. */
  async function reply(words: readonly string[], before = ''): Promise<string[]> {
    const list = words.map((word) => `'${word}'`).join(' ');
    const { code, stdout, stderr } = await shell(
      `source <(shelflist completion bash)
       ${before}
       COMP_WORDS=(shelflist ${list}); COMP_CWORD=${words.length}
       _shelflist
       printf '[%s]\\n' "\${COMPREPLY[@]}"`,
      { cwd },
    );
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout === '[]\n'
      ? []
      : stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.slice(1, -1));
  }

  const table: [what: string, words: string[], values: string[]][] = [
    ['commands', [''], visible],
    ['a command', ['li'], ['list']],
    ['options', ['list', '--'], ofList],
    ['choices', ['list', '--format', ''], formats],
    ['choices that begin with a dash', ['list', '--sort', '-t'], ['-title']],
    ['choices after =, which bash splits off', ['list', '--format', '='], formats],
    ['the start of one after =', ['list', '--format', '=', 'n'], ['ndjson']],
    ['nothing for a file', ['import', ''], []],
    ['nothing for a word with a blank', ['import', 'my bo'], []],
  ];
  for (const [what, words, values] of table) {
    test(`${what}: ${words.join(' ')}`, async () => {
      assert.deepEqual(await reply(words), values);
    });
  }

  test('text after the cursor is ignored', async () => {
    const { stdout } = await shell(
      `source <(shelflist completion bash)
       COMP_WORDS=(shelflist li --json); COMP_CWORD=1; _shelflist; echo "\${COMPREPLY[@]}"`,
      { cwd },
    );
    assert.equal(stdout, 'list\n');
  });

  test('candidates of an earlier completion are discarded', async () => {
    assert.deepEqual(await reply(['import', ''], 'COMPREPLY=(old)'), []);
  });

  test('the script registers itself, with file names as the fallback', async () => {
    const { stdout } = await shell('source <(shelflist completion bash); complete -p shelflist', { cwd });
    assert.equal(stdout, 'complete -o default -F _shelflist shelflist\n');
  });

  test('the script changes no shell variables, and works with set -u', async () => {
    const { stdout, stderr, code } = await shell(
      `set -u; source <(shelflist completion bash); IFS=x line=mine
       COMP_WORDS=(shelflist ''); COMP_CWORD=1; _shelflist
       COMP_WORDS=(shelflist import ''); COMP_CWORD=2; _shelflist
       echo "$IFS$line"`,
      { cwd },
    );
    assert.deepEqual(
      { stdout: stdout.replace(' ', 'x'), stderr, code },
      { stdout: 'xmine\n', stderr: '', code: 0 },
    );
  });

  for (const [words, values] of [
    [['npx', 'shelflist', 'li'], ['list']],
    [['npx', '--no-install', 'shelflist', 'list', '--so'], ['--sort']],
    [['npx', 'shelf'], []],
    [['npx', 'shelflist'], []],
    [['npx', 'other', 'li'], []],
  ] as const) {
    test(words.join(' '), async () => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const { stdout, stderr } = await shell(
        `set -u; source <(shelflist completion bash)
         COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _shelflist; echo "\${COMPREPLY[@]}"`,
        { cwd },
      );
      assert.deepEqual([stdout, stderr], [`${values.join(' ')}\n`, '']);
    });
  }

  const typed: [line: string, seen: string][] = [
    ['shelflist --vers\t', '--version '],
    ['shelflist import my\t--dry-run', 'shelflist: the file is empty'],
    ['shelflist list --format=nd\t--sort -ti\t--nothing', "unknown option '--nothing'"],
  ];
  for (const [line, seen] of typed) {
    test(`a person presses Tab: ${line.replaceAll('\t', '<Tab>')}`, { skip: noTerminal }, async () => {
      const rc = `shelflist() { "${process.execPath}" "${program}" "$@"; }
        source <(shelflist completion bash); PS1='ready> '`;
      await writeFile(join(cwd, 'rc'), rc);
      const { screen } = await terminal(
        'bash --noprofile --rcfile ../rc -i',
        { cwd: join(cwd, 'here'), env: { INPUTRC: '/dev/null' } },
        [
          ['ready>', line],
          [seen, 'exit'],
        ],
      );
      assert.ok(screen.includes(seen), screen);
    });
  }
});

describe('in zsh', { skip: missing('zsh') }, () => {
  test('the script is one, and answers', async () => {
    await writeFile(join(cwd, '_shelflist'), await scriptFor('zsh'));
    const { code, stdout, stderr } = await shell(
      `zsh -n _shelflist && PATH="$PWD:$PATH" zsh -fc '
        shelflist() { command bash -c "exec node \\"\\$PROGRAM\\" \\"\\$@\\"" sh "$@" }
        typeset -A _comps; compdef() { : }; _describe() { print -l -- "\${(@P)2}" }; _files() { print files }
        source ./_shelflist; words=(shelflist li); CURRENT=2; _shelflist; words=(shelflist import ""); CURRENT=3; _shelflist'`,
      { cwd, env: { PROGRAM: program } },
    );
    assert.equal(stdout, 'list:list or search the books\nfiles\n');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });
});

describe('in fish', { skip: missing('fish') }, () => {
  test('the script is one, and answers', async () => {
    await writeFile(join(cwd, 'shelflist.fish'), await scriptFor('fish'));
    const { code, stdout, stderr } = await shell(
      `fish -n shelflist.fish && fish --no-config -c '
        function shelflist; node $PROGRAM $argv; end
        source shelflist.fish; complete -C "shelflist li"; complete -C "shelflist list --format js"'`,
      { cwd, env: { PROGRAM: program } },
    );
    assert.equal(stdout, 'list\tlist or search the books\njson\n');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });
});

describe('the scripts', () => {
  const parts: Record<string, RegExp[]> = {
    bash: [
      /^complete -o default -F _shelflist shelflist$/m,
      / complete -- "\$\{COMP_WORDS\[@\]:first:COMP_CWORD-first\+1\}"/,
    ],
    zsh: [
      /^#compdef shelflist\n/,
      / complete -- "\$\{\(@\)words\[first,CURRENT\]\}"/,
      /compdef _shelflist shelflist/,
    ],
    fish: [/^complete -c shelflist /m, / complete -- \$words\[\(math \$at \+ 1\)\.\.-1\]/],
    powershell: [
      /^Register-ArgumentCompleter -Native -CommandName shelflist -ScriptBlock \{$/m,
      / complete "--last=\$wordToComplete" '--' @words/,
      /-split "`t", 2/,
      /\[System\.Management\.Automation\.CompletionResult\]::new\(\$value, \$value, 'ParameterValue', \$about\)/,
    ],
  };
  for (const [name, expected] of Object.entries(parts)) {
    test(`the ${name} script calls the program by the name it was run under`, async () => {
      const script = await scriptFor(name);
      for (const part of expected) assert.match(script, part);
      assert.match(script, /(^|[^x]) ?shelflist complete /m);
      // Elsewhere, npx would fetch a package of this name.
      const { stdout } = await shell(`npm_execpath=npm shelflist completion ${name}`, { cwd });
      const [start = '', end] = script.split('shelflist complete ');
      assert.ok(
        stdout.startsWith(`${start}${name === 'powershell' ? "& '" : ''}${process.execPath}`),
        stdout,
      );
      assert.ok(stdout.endsWith(` complete ${end}`), stdout);
      assert.equal(script.split('{').length, script.split('}').length);
    });

    test(`${name} as JSON`, async () => {
      const { code, stdout } = await shelflist(['completion', name, '--json'], { cwd });
      assert.deepEqual(JSON.parse(stdout), { shell: name, script: await scriptFor(name) });
      assert.equal(code, 0);
    });
  }

  const wrong: [commandLine: Command, stderr: RegExp][] = [
    [['completion'], /^shelflist: missing argument <shell>; /],
    [['completion', 'tcsh'], /: expected one of bash, zsh, fish, powershell, install\n/],
  ];
  for (const [commandLine, stderr] of wrong) {
    test(`${titleOf(commandLine)}: 2`, async () => {
      const outcome = await run(commandLine, { cwd });
      assert.match(outcome.stderr, stderr);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 2, stdout: '' });
    });
  }
});
