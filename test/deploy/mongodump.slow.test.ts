import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { askAll, insertKept, keptAnswers } from '../store/kept-formats.ts';
import { shell } from '../support/cli.ts';
import { openDriver } from '../support/mongo-driver.ts';
import { newDatabaseUrl, startMongods } from '../support/mongod.ts';
import { temporaryFolder } from '../support/temp.ts';

const historyDays = 36_500;

function missingTool(): string | false {
  const { error } = spawnSync('mongorestore', ['--version']);
  return error !== undefined && 'there is no mongorestore: install mongodb-database-tools to run this';
}

/** A line of docs/deployment.md, with another configuration. */
async function documented(program: string, config: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');
  const [line] = new RegExp(`^${program} .+$`, 'm').exec(text) ?? [];
  assert.ok(line !== undefined, `docs/deployment.md has no line of ${program}`);
  return line.replace(`/etc/shelflist/${program}.yml`, config);
}

const skip = missingTool();
const sets = skip === false ? [await startMongods(), await startMongods()] : [];
after(() => Promise.all(sets.map((set) => ('skip' in set ? Promise.resolve() : set.stop()))));

test(
  'a MongoDB catalogue comes back from the documented mongodump, with ids, history, trash and batches',
  { skip },
  async (t) => {
    const [from, to] = sets;
    if (from === undefined || to === undefined || 'skip' in from || 'skip' in to) {
      t.skip('there is no mongod');
      return;
    }
    const folder = await temporaryFolder(t);
    const url = newDatabaseUrl(from);
    await insertKept(1, await openDriver(t, url));
    const store = await openStore(url, { historyDays });
    t.after(() => store.close());
    const expected = await keptAnswers(1, 'mongodb');
    const run = async (program: string, server: string) => {
      const config = join(folder, `${program}.yml`);
      await writeFile(config, `uri: ${server}\n`, { mode: 0o600 });
      const { code, stderr } = await shell(await documented(program, config), { cwd: folder });
      assert.equal(code, 0, stderr);
    };
    // While others write: what was acknowledged before the dump is in it.
    const writing = new AbortController();
    const writes = (async () => {
      let last = 0;
      while (!writing.signal.aborted) last = (await store.create({ title: `While it runs` })).id;
      return last;
    })();
    await run('mongodump', from.url);
    writing.abort();
    const last = await writes;
    await run('mongorestore', to.url);

    const restored = await openStore(url.replace(new URL(from.url).host, new URL(to.url).host), {
      historyDays,
    });
    t.after(() => restored.close());
    const answers = await askAll(restored, expected);
    const isKept = ({ title }: { title?: unknown }) => title !== 'While it runs';
    assert.deepEqual({ ...answers, list: answers.list.filter((book) => isKept(book as object)) }, expected);
    const { id } = await restored.create({ title: 'Next' });
    assert.ok(id > answers.list.length && id <= last + 1, `${id} after ${last}`);
  },
);
