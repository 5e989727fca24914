import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'dotenv';
import { shelflist } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

for (const [again, code] of [
  ['typed-in-this-test', 0],
  ['typed-otherwise', 1],
] as const) {
  test(`at a terminal, passwd asks twice: ${code}`, { skip: noTerminal }, async (context) => {
    const cwd = await temporaryFolder(context);
    await shelflist(['init'], { cwd });
    const read = async () => parse(await readFile(join(cwd, '.env'))).AUTH_PASSWORD;
    const before = await read();
    const outcome = await terminal('shelflist passwd', { cwd }, [
      ['New password: ', 'typed-in-this-test'],
      ['Again: ', again],
    ]);
    assert.equal(outcome.code, code, outcome.screen);
    assert.ok(!outcome.screen.includes('typed'), outcome.screen);
    assert.equal(await read(), code === 0 ? 'typed-in-this-test' : before);
  });
}
