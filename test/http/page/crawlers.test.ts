import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openStore } from '../../../src/index.ts';
import { ask, attribute, browse, browserAccept, textOf } from '../../support/page.ts';
import { startService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';
import type { AnyConfig } from '../../../src/server/config.ts';

const books = Array.from({ length: 60 }, (_, i) => ({ title: `Book ${i + 1}`, author: 'Ada', year: 1900 }));

/** A service that everybody may read. */
async function start(scope: Scope, config: Partial<AnyConfig> = {}) {
  const service = await startService(scope, {
    databaseUrl: 'memory:',
    page: true,
    publicRead: true,
    ...config,
  });
  await service.request('POST', '/books', { token: service.token, body: books });
  return service;
}

describe('a public catalogue names what search engines may show', () => {
  test('robots.txt allows the first page and the books', async (t) => {
    const { url } = await start(t);
    const { status, headers, text } = await ask(`${url}/robots.txt`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.equal(
      text,
      'User-agent: *\nDisallow: /\nAllow: /$\nAllow: /?book=\nAllow: /assets/\nAllow: /sitemap.xml\n' +
        `\nSitemap: ${url}/sitemap.xml\n`,
    );
  });

  test('robots.txt names the path of the page', async (t) => {
    const { url } = await startService(t, { page: true, publicRead: true, prefix: '/catalogue' });
    assert.match((await ask(`${url}/catalogue/robots.txt`)).text, /\nAllow: \/catalogue\/\?book=\n/);
  });

  test('robots.txt of a catalogue that needs a login allows nothing', async (t) => {
    const { url } = await startService(t, { page: true });
    assert.equal((await ask(`${url}/robots.txt`)).text, 'User-agent: *\nDisallow: /\n');
  });

  const table: [address: string, canonical: string | undefined][] = [
    ['/', './'],
    ['/?book=7', '?book=7'],
    ['/?book=7&utm=1', '?book=7'],
    ['/?q=book', undefined],
    ['/?sort=title', undefined],
    ['/?view=stats', undefined],
    ['/?book=99', undefined],
  ];
  for (const [address, canonical] of table)
    test(`${address} is ${canonical === undefined ? 'not indexed' : `indexed as ${canonical}`}`, async (t) => {
      const { url } = await start(t);
      const page = await browse(url + address);
      const [link] = page.all('link').filter((each) => attribute(each, 'rel') === 'canonical');
      const [meta] = page.all('meta').filter((each) => attribute(each, 'name') === 'robots');
      assert.equal(link && attribute(link, 'href'), canonical);
      assert.equal(meta && attribute(meta, 'content'), canonical === undefined ? 'noindex' : undefined);
    });

  test('only links to books, and to all books, are for crawlers', async (t) => {
    const { url } = await start(t);
    const links = (await browse(`${url}/?author=Ada`)).all('a');
    const followed = links.filter((link) => !/\bnofollow\b/.test(attribute(link, 'rel') ?? ''));
    assert.ok(links.length > followed.length + 50);
    for (const link of followed) assert.match(attribute(link, 'href') ?? '', /^(\.\/|\?book=\d+)$/);
  });
});

describe('a reader without a token', () => {
  test('has as many requests a minute as READ_LIMIT says, a page being ten, then 429 with the wait', async (t) => {
    const service = await start(t, { readLimit: 13 });
    const { url, token } = service;
    for (const path of ['/books', '/book/1', '/stats']) assert.equal((await ask(url + path)).status, 200);
    assert.equal((await browse(url)).status, 200);
    const refused = await ask(`${url}/books`);
    assert.deepEqual(
      [refused.status, refused.text, refused.headers['retry-after']],
      [429, '{"status":429,"message":"Too many requests","data":null}', '5'],
    );
    const page = await browse(`${url}/?book=1`);
    assert.deepEqual([page.status, Number(page.headers['retry-after']) > 40], [429, true]);
    assert.match(page.text, /Too many requests came from your network/);
    assert.equal((await service.request('GET', '/books', { token })).status, 200, 'with a token');
    for (const path of ['/robots.txt', '/livez']) assert.equal((await ask(url + path)).status, 200);
  });

  test('gets a book while others ask slow questions', async (t) => {
    const store = await openStore('memory:');
    t.after(() => store.close());
    await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
    let asked = 0;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow: typeof store.statistics = async (...question) => {
      asked++;
      await opened;
      return store.statistics(...question);
    };
    const service = await startService(t, { store: { ...store, statistics: slow }, publicRead: true });
    const questions = Array.from({ length: 4 }, () => ask(`${service.url}/stats`));
    try {
      assert.equal((await ask(`${service.url}/book/1`)).status, 200);
      assert.ok(asked > 0);
    } finally {
      open();
    }
    for (const answer of await Promise.all(questions)) assert.equal(answer.status, 200);
  });

  test('has no limit with READ_LIMIT=0', async (t) => {
    const { url } = await start(t, { readLimit: 0 });
    for (let i = 0; i < 400; i++) assert.equal((await ask(`${url}/book/1`)).status, 200);
  });
});

describe('the document is compressed as the browser accepts it', () => {
  const fetchRaw = (
    url: string,
    encoding: string,
  ): Promise<{ headers: Record<string, unknown>; body: Buffer }> =>
    new Promise((resolve, reject) => {
      get(url, { headers: { accept: browserAccept, 'accept-encoding': encoding } }, (response) => {
        response.toArray().then((parts) => {
          resolve({ headers: response.headers, body: Buffer.concat(parts as Buffer[]) });
        }, reject);
      }).on('error', reject);
    });
  for (const publicRead of [true, false])
    test(publicRead ? 'with books' : 'without books', async (t) => {
      const { url } = await start(t, { publicRead });
      const plain = await fetchRaw(url, 'identity');
      const br = await fetchRaw(url, 'gzip, br');
      const gzip = await fetchRaw(url, 'gzip');
      assert.deepEqual(
        [plain, gzip, br].map(({ headers }) => headers['content-encoding']),
        [undefined, 'gzip', 'br'],
      );
      assert.deepEqual(gunzipSync(gzip.body), plain.body);
      assert.deepEqual(brotliDecompressSync(br.body), plain.body);
      assert.equal(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size, 3);
      assert.ok(br.body.length < plain.body.length / 2);
    });
});

test('CATALOGUE_NAME is in the title, above the list and for the script', async (t) => {
  const { url } = await start(t, { catalogueName: 'Dorf & Bücherei <1>' });
  const page = await browse(url);
  const [title] = page.all('title');
  assert.ok(title && textOf(title).endsWith(' · Dorf & Bücherei <1>'));
  assert.match(page.text, /<p>Dorf &amp; Bücherei &lt;1&gt;<\/p>/);
  const [app] = page.all('div').filter((each) => attribute(each, 'id') === 'app');
  assert.equal(app && attribute(app, 'data-name'), 'Dorf & Bücherei <1>');
});
