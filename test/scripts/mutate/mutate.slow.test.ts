import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { root, run } from '../../support/packed.ts';
import { temporaryFolder } from '../../support/temp.ts';

const skip =
  !existsSync(join(root, 'scripts/mutate/node_modules')) &&
  'Stryker is not installed (npm --prefix scripts/mutate ci)';

const files = {
  'src/auth/limit.ts': 'export function isAllowed(attempts: number): boolean {\n  return attempts < 3;\n}\n',
  'test/auth/limit.test.ts': `
    import assert from 'node:assert/strict';
    import { after, describe, test } from 'node:test';
    import { isAllowed } from '../../src/auth/limit.ts';

    let runs = 0;
    after(() => assert.ok(runs > 0));
    describe('attempts', () => {
      test('one is allowed, five are not', (t) => {
        t.after(() => runs++);
        assert.deepEqual([isAllowed(1), isAllowed(5)], [true, false]);
      });
    });
  `,
};

test(
  'npm run test:mutate names the mutants that no test notices, and counts the others as killed',
  { skip },
  async (t) => {
    const folder = await temporaryFolder(t);
    const write = async (name: string, text: string) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    };
    for (const [name, text] of Object.entries(files)) await write(name, text);
    const mutate = () =>
      run(process.execPath, [join(root, 'scripts/mutate/main.mjs'), 'auth', '--concurrency', '1'], {
        cwd: folder,
      });

    const first = await mutate();
    assert.match(first.stdout, /^src\/auth\/limit\.ts:2:10 survived: attempts < 3 → attempts <= 3$/m);
    assert.match(first.stdout, /^src\/auth +5 +4 +0 +1 +0 +0 +80\.0 %, less than 90 %$/m);
    assert.equal(first.code, 1, first.stderr);

    const entry = { file: 'src/auth/limit.ts', code: 'return attempts < 3;', reason: 'planted' };
    const accepted = ['<=', '>='].map((operator) => ({
      ...entry,
      mutation: `attempts < 3 → attempts ${operator} 3`,
    }));
    await write('scripts/mutate/accepted.json', JSON.stringify(accepted));
    const second = await mutate();
    assert.doesNotMatch(second.stdout, /survived: /);
    assert.match(second.stdout, /^src\/auth +5 +4 +0 +0 +0 +1 +100\.0 %$/m);
    assert.match(second.stdout, /accepted\.json: a test now notices this mutant, .*attempts >= 3/);
    assert.equal(second.code, 1, second.stderr);
  },
);
