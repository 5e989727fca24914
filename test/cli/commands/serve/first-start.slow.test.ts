import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { temporaryFolder } from '../../../support/temp.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';

const wanted = ['Make one here? [Y/n] ', ''] as const;
const password = 'typed in this test: `"# ';
const stop = ['Ctrl-C stops it', '\x03'] as const;

describe('at a terminal, serve in an empty folder asks', { skip: noTerminal }, () => {
  const started: [
    what: string,
    answers: (readonly [string, string])[],
    username: string,
    password: RegExp,
  ][] = [
    [
      'the usual answers',
      [
        ['Username [librarian]: ', ''],
        ['.env]: ', ''],
      ],
      'librarian',
      /^[\w-]{24}$/,
    ],
    [
      'a name and a password',
      [
        ['Username [librarian]: ', 'Ada Lovelace'],
        ['.env]: ', password],
        ['Again: ', password],
      ],
      'Ada Lovelace',
      /^typed in this test: `"# $/,
    ],
  ];
  for (const [what, answers, username, expected] of started)
    test(`${what}: it serves, and shows no password`, async (context) => {
      const cwd = await temporaryFolder(context);
      const { code, screen } = await terminal('shelflist serve --port 0', { cwd }, [
        wanted,
        ...answers,
        stop,
      ]);
      assert.equal(code, 0, screen);
      assert.match(screen, /listens on http/);
      assert.doesNotMatch(screen, /opening/);
      const { AUTH_USERNAME, AUTH_PASSWORD = '' } = parse(await readFile(join(cwd, '.env'), 'utf8'));
      assert.equal(AUTH_USERNAME, username);
      assert.match(AUTH_PASSWORD, expected);
      assert.ok(!screen.includes(AUTH_PASSWORD), screen);
    });

  test('with a screen, it opens the page', async (context) => {
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { DISPLAY: ':0', PATH: [cwd, process.env.PATH].join(delimiter) };
    const { code, screen } = await terminal('shelflist serve --port 0 --init', { cwd, env }, [
      ['if nothing appears, type this address there', '\x03'],
    ]);
    assert.match(screen, /opening http\S+ in the browser;/);
    assert.equal(code, 0);
  });

  const refused: [what: string, answers: (readonly [string, string])[], code: number, stderr: RegExp][] = [
    ['no', [[wanted[0], 'n']], 1, /are not set\.\s+Run `shelflist init`/],
    ['Ctrl-C', [wanted, ['Username [librarian]: ', '\x03']], 130, /interrupted; nothing was written/],
    ['Ctrl-D', [[wanted[0], '\x04']], 1, /no answer; nothing was written/],
    [
      "a name with a '",
      [wanted, ['Username [librarian]: ', "O'Hara"]],
      1,
      /contains ' or a line break; nothing/,
    ],
    [
      'two passwords',
      [
        wanted,
        ['Username [librarian]: ', ''],
        ['.env]: ', 'one long password'],
        ['Again: ', 'two long passwords'],
      ],
      1,
      /the passwords differ; nothing was written/,
    ],
    [
      'a password that no .env can hold',
      [
        wanted,
        ['Username [librarian]: ', ''],
        ['.env]: ', `ten or more '"\``],
        ['Again: ', `ten or more '"\``],
      ],
      1,
      /a \.env cannot hold this password/,
    ],
  ];
  for (const [what, answers, code, stderr] of refused)
    test(`${what}: it writes nothing, and does not start`, async (context) => {
      const cwd = await temporaryFolder(context);
      const outcome = await terminal('shelflist serve --port 0', { cwd }, answers);
      assert.match(outcome.screen, stderr);
      assert.equal(outcome.code, code);
      assert.ok(!existsSync(join(cwd, '.env')) && !existsSync(join(cwd, 'data')));
    });

  test('not with --json, which a program reads', async (context) => {
    const cwd = await temporaryFolder(context);
    const { code, screen } = await terminal('shelflist serve --port 0 --json', { cwd });
    assert.match(screen, /^\{"error":\{"code":"config"/);
    assert.equal(code, 1);
  });
});
