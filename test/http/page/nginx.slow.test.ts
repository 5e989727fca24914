import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createClient } from '../../../src/index.ts';
import { serve, settings, workersOf } from '../../support/cli.ts';
import { openStream } from '../../support/event-stream.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';
import { skipWithoutNginx, startNginx } from '../../support/nginx.ts';
import { ask, attribute, browse, browserAccept, linkTo, textOf } from '../../support/page.ts';
import { onlyLong } from '../../support/size.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));
const noNginx = await skipWithoutNginx();

const stores: [name: string, skip: string | false, databaseUrl: () => string][] = [
  ['SQLite', noNginx, () => 'file:./data'],
  ['MongoDB', noNginx || ('skip' in mongod ? mongod.skip : onlyLong), () => newDatabaseUrl(mongod)],
];

/** Three workers below a prefix, which nginx strips. */
async function start(context: Scope, DATABASE_URL: string, env: Record<string, string> = {}) {
  const cwd = await temporaryFolder(context);
  const service = await serve(context, cwd, { ...settings, WORKERS: '3', DATABASE_URL, ...env });
  assert.equal((await workersOf(service)).length, 3);
  const url = await startNginx(context, service.url);
  const client = createClient({ url });
  context.after(() => {
    client.close();
  });
  await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  return { url, client };
}

/** More than there are workers: each request goes to the next one. */
const requests = 9;

for (const [name, skip, databaseUrl] of stores) {
  describe(`behind nginx below a prefix, with three workers, over ${name}`, { skip }, () => {
    test('every worker sends the same page and the same files', async (t) => {
      const { url } = await start(t, databaseUrl());
      const pages = new Set<string>();
      for (let i = 0; i < requests; i++) pages.add((await browse(`${url}/`)).text);
      assert.equal(pages.size, 1);
      const page = await browse(`${url}/`);
      const [script = assert.fail()] = page.all('script');
      const [style = assert.fail()] = page
        .all('link')
        .filter((each) => attribute(each, 'rel') === 'stylesheet');
      for (const address of [attribute(script, 'src'), attribute(style, 'href')]) {
        const tags = new Set<unknown>();
        for (let i = 0; i < requests; i++) {
          const headers = { 'Accept-Encoding': 'br' };
          const file = await ask(new URL(address ?? '', `${url}/`).href, { headers });
          assert.deepEqual([file.status, file.headers['content-encoding']], [200, 'br']);
          tags.add(file.headers.etag);
        }
        assert.equal(tags.size, 1);
      }
    });

    test('a reader without JavaScript sees what was just written, pages on, and opens a book', async (t) => {
      const { url, client } = await start(t, databaseUrl(), { PUBLIC_READ: 'true' });
      for (let i = 1; i <= requests; i++) {
        await client.create({ title: `Volume ${i}` });
        const page = await browse(`${url}/?q=volume`);
        const status = page.all('p').find((each) => attribute(each, 'role') === 'status');
        assert.equal(textOf(status ?? assert.fail()), i === 1 ? '1 book' : `${i} books`);
      }
      let page = await browse(`${url}/?sort=-title&limit=4`);
      const titles: string[] = [];
      for (;;) {
        titles.push(
          ...page
            .all('th')
            .filter((each) => attribute(each, 'scope') === 'row')
            .map(textOf),
        );
        if (!page.all('a').some((each) => attribute(each, 'rel') === 'next nofollow')) break;
        page = await browse(linkTo(page, `${url}/`, 'Next page'));
      }
      assert.deepEqual(
        titles,
        Array.from({ length: requests }, (_, i) => `Volume ${requests - i}`),
      );
      const book = await browse(linkTo(page, `${url}/`, 'Volume 1'));
      assert.equal(book.one('h1'), 'Volume 1');
      assert.equal(linkTo(book, `${url}/`, 'All books'), `${url}/`);
    });

    test('changes arrive, and an address without the last slash is redirected', async (t) => {
      const { url, client } = await start(t, databaseUrl(), { PUBLIC_READ: 'true' });
      const stream = await openStream(t, url);
      await client.create({ title: 'Emma' });
      const [event] = await stream.until(1);
      assert.deepEqual(event?.data, { id: 1, change: 'created' });
      stream.close();
      const { status, headers } = await ask(url, { headers: { Accept: browserAccept } });
      assert.equal(status, 301);
      assert.equal(new URL(headers.location ?? '', url).pathname, '/catalogue/');
    });
  });
}
