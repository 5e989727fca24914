import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { parse } from 'dotenv';
import { serve, settings, shelflist, shell } from '../../../support/cli.ts';
import { describeService } from '../../../support/session.ts';
import { temporaryFolder } from '../../../support/temp.ts';

const own = Object.entries(settings)
  .map(([name, value]) => `${name}=${value}\n`)
  .join('');
const readArticles = async (cwd: string) => parse(await readFile(join(cwd, '.env'), 'utf8')).SORT_ARTICLES;

async function start(t: TestContext, dotenv: string | undefined, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(t);
  if (dotenv !== undefined) await writeFile(join(cwd, '.env'), dotenv);
  const service = await serve(t, cwd, { LANG: 'fr_FR.UTF-8', ...(dotenv === undefined && settings), ...env });
  return { cwd, service };
}

describe('the first start on a new store', () => {
  test('writes the articles of the language of the system to .env, and orders titles by them', async (t) => {
    const { cwd, service } = await start(t, own.trimEnd());
    assert.equal(await readArticles(cwd), "le,la,les,l',un,une");
    assert.ok((await readFile(join(cwd, '.env'), 'utf8')).startsWith(own));
    await describeService(cwd, service.url);
    for (const title of ['La Peste', 'Nadja', "L'Étranger"]) await shelflist(['add', '-t', title], { cwd });
    const { stdout } = await shelflist(['list', '--sort', 'title'], { cwd });
    const titles = stdout.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
    assert.deepEqual(titles, ["L'Étranger", 'Nadja', 'La Peste']);
    await service.stop();
    assert.match(service.stderr(), /info: added SORT_ARTICLES to \.env: the order by title ignores le,la,/);
    const again = await serve(t, cwd, { LANG: 'de_DE.UTF-8' });
    await again.stop();
    assert.equal(await readArticles(cwd), "le,la,les,l',un,une");
  });

  test('writes none if the variable is there, even empty, or if there is no .env', async (t) => {
    for (const [dotenv, env] of [
      [`${own}SORT_ARTICLES=\n`, {}],
      [`${own}SORT_ARTICLES=el\n`, {}],
      [own, { SORT_ARTICLES: 'das' }],
      [undefined, {}],
    ] as const) {
      const { cwd, service } = await start(t, dotenv, env);
      await service.stop();
      const after = await readFile(join(cwd, '.env'), 'utf8').catch(() => undefined);
      assert.equal(after, dotenv);
    }
  });

  test('writes none, and says nothing of it, if there is no store afterwards', async (t) => {
    for (const workers of ['1', '2']) {
      const cwd = await temporaryFolder(t);
      await writeFile(join(cwd, '.env'), own);
      const line = `shelflist serve --port 0 --workers ${workers} --database-url file:.env`;
      const { code, stderr } = await shell(line, { cwd, env: { LANG: 'fr_FR.UTF-8' } });
      assert.equal(code, 1);
      assert.match(stderr, /^shelflist: cannot use the store .+\n$/);
      assert.equal(await readFile(join(cwd, '.env'), 'utf8'), own);
    }
  });

  test('writes them if it cannot listen: the store has its order, and the next start is not the first', async (t) => {
    const cwd = await temporaryFolder(t);
    await writeFile(join(cwd, '.env'), own);
    const line = 'shelflist serve --port 0 --host no-such-host.invalid';
    const { code, stderr } = await shell(line, { cwd, env: { LANG: 'fr_FR.UTF-8' } });
    assert.equal(code, 1);
    assert.match(stderr, /cannot listen on no-such-host/);
    assert.equal(await readArticles(cwd), "le,la,les,l',un,une");
  });

  test('warns if it cannot write the file', { skip: process.getuid?.() === 0 }, async (t) => {
    const cwd = await temporaryFolder(t);
    await writeFile(join(cwd, '.env'), own);
    const data = await temporaryFolder(t);
    await chmod(cwd, 0o500);
    const service = await serve(t, cwd, { DATABASE_URL: `file:${data}` });
    await service.stop();
    await chmod(cwd, 0o700);
    assert.match(
      service.stderr(),
      /warn: the order by title ignores le,la,.+ only until the next start: cannot write/,
    );
    assert.equal(await readArticles(cwd), undefined);
  });
});
