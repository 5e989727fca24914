import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import type { AnyConfig } from '../../../src/server/config.ts';
import { ask, attribute, browse, textOf } from '../../support/page.ts';
import { exchange } from '../../support/raw.ts';
import { startService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';

/** A service that everybody may read. */
async function start(scope: Scope, books: readonly object[] = [], config: Partial<AnyConfig> = {}) {
  const service = await startService(scope, { page: true, publicRead: true, ...config });
  if (books.length > 0)
    await service.request('POST', `${config.prefix ?? ''}/books`, { token: service.token, body: books });
  return service;
}

/** The addresses in a sitemap, or in an index of sitemaps. */
const addressesIn = (text: string) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

describe('sitemap.xml', () => {
  test('has the first page and each book, and changes with them', async (t) => {
    const service = await start(t, [{ title: 'Emma' }, { title: 'Persuasion' }, { title: 'Ulysses' }]);
    const { url, token } = service;
    const first = await ask(`${url}/sitemap.xml`);
    assert.deepEqual(
      [first.status, first.headers['content-type'], first.headers['cache-control']],
      [200, 'application/xml; charset=utf-8', 'private, no-cache'],
    );
    assert.match(
      first.text,
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">/,
    );
    const books = (...ids: number[]) => [`${url}/`, ...ids.map((id) => `${url}/?book=${id}`)];
    assert.deepEqual(addressesIn(first.text), books(1, 2, 3));
    for (const address of addressesIn(first.text).map(String))
      assert.equal((await browse(address)).status, 200);

    const known = { 'If-None-Match': String(first.headers.etag) };
    assert.equal((await ask(`${url}/sitemap.xml`, { headers: known })).status, 304);
    assert.equal((await ask(`${url}/sitemap.xml`, { headers: { 'If-Match': '"x"' } })).status, 412);
    await service.request('DELETE', '/book/2', { token });
    assert.deepEqual(addressesIn((await ask(`${url}/sitemap.xml`, { headers: known })).text), books(1, 3));
    const head = await ask(`${url}/sitemap.xml`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  test('of an empty catalogue has the first page', async (t) => {
    const { url } = await start(t);
    assert.deepEqual(addressesIn((await ask(`${url}/sitemap.xml`)).text), [`${url}/`]);
  });

  test('of more than 49,999 ids is an index of sitemaps, of which each has its ids', async (t) => {
    const store = await openStore('memory:');
    t.after(() => store.close());
    const thousand = Array.from({ length: 1000 }, (_, i) => ({ title: String(i) }));
    for (let i = 0; i < 101; i++) await store.createMany(thousand);
    for (let id = 49_999; id < 100_000; id++) await store.delete(id); // The second sitemap would be empty.
    const { url } = await start(t, [], { store });
    const index = await ask(`${url}/sitemap.xml`);
    assert.match(index.text, /<sitemapindex xmlns=/);
    const [first = '', third = '', ...others] = addressesIn(index.text).map(String);
    assert.deepEqual([first, third, others], [`${url}/sitemap.xml?part=1`, `${url}/sitemap.xml?part=3`, []]);
    const ofFirst = addressesIn((await ask(first)).text);
    assert.deepEqual([ofFirst.length, ofFirst[0], ofFirst.at(-1)], [49_999, `${url}/`, `${url}/?book=49998`]);
    const ofThird = addressesIn((await ask(third)).text);
    assert.deepEqual(
      [ofThird.length, ofThird[0], ofThird.at(-1)],
      [1001, `${url}/?book=100000`, `${url}/?book=101000`],
    );
    assert.deepEqual(addressesIn((await ask(`${url}/sitemap.xml?part=2`)).text), []);
    for (const wrong of ['0', '-1', 'x', '50001'])
      assert.equal((await ask(`${url}/sitemap.xml?part=${wrong}`)).status, 400);
  });

  test('counts like a document for readers without a token', async (t) => {
    const { url } = await start(t, [], { readLimit: 15 });
    assert.equal((await ask(`${url}/sitemap.xml`)).status, 200);
    assert.equal((await ask(`${url}/sitemap.xml`)).status, 429);
  });

  test('of a catalogue that is not public is not there, nor is its description as a search engine', async (t) => {
    const closed = await startService(t, { page: true });
    const restricted = await start(t, [], { authorize: () => true });
    const untold = await start(t);
    const { port } = untold;
    for (const name of ['sitemap.xml', 'opensearch.xml']) {
      for (const { url } of [closed, restricted])
        assert.deepEqual(await ask(`${url}/${name}`).then(({ status, text }) => [status, text]), [
          404,
          '{"status":404,"message":"Not found","data":null}',
        ]);
      const hostless = await exchange(port, `GET /${name} HTTP/1.0\r\n\r\n`);
      assert.match(hostless, /^HTTP\/1\.1 404 /, 'without a host there is no address');
    }
    assert.doesNotMatch((await browse(closed.url)).text, /opensearch|ld\+json/);
  });
});

describe('the addresses of a sitemap', () => {
  const forwarded = {
    'X-Forwarded-Proto': 'http, https',
    'X-Forwarded-Host': 'books.example',
    'X-Forwarded-Prefix': '/catalogue/',
  };
  const read = async (url: string, headers: Record<string, string>) =>
    addressesIn((await ask(url, { headers })).text)[0];

  test('begin as the request was addressed', async (t) => {
    const { url } = await start(t, [], { prefix: '/catalogue' });
    assert.equal(await read(`${url}/catalogue/sitemap.xml`, {}), `${url}/catalogue/`);
    assert.equal(
      await read(`${url}/catalogue/sitemap.xml`, { Host: 'xn--bcher-kva.example' }),
      'http://xn--bcher-kva.example/catalogue/',
    );
  });

  test('are those of a trusted proxy', async (t) => {
    const { url } = await start(t, [], { trustedProxies: ['127.0.0.1'] });
    assert.equal(await read(`${url}/sitemap.xml`, forwarded), 'https://books.example/catalogue/');
    assert.equal(
      await read(`${url}/sitemap.xml`, { ...forwarded, 'X-Forwarded-Prefix': '/\\evil.example' }),
      'https://books.example/%5Cevil.example/',
    );
    assert.equal(await read(`${url}/sitemap.xml`, { 'X-Forwarded-Proto': 'javascript' }), undefined);
    const robots = await ask(`${url}/robots.txt`, { headers: forwarded });
    assert.match(robots.text, /\nSitemap: https:\/\/books\.example\/catalogue\/sitemap\.xml\n$/);
    assert.match(robots.text, /^User-agent: \*\nDisallow: \/catalogue\/\nAllow: \/catalogue\/\$\n/);
  });

  test('are not what a stranger says', async (t) => {
    const { url } = await start(t, [], { trustedProxies: ['192.0.2.1'] });
    assert.equal(await read(`${url}/sitemap.xml`, forwarded), `${url}/`);
    const { url: direct } = await start(t);
    assert.equal(await read(`${direct}/sitemap.xml`, forwarded), `${direct}/`);
  });

  test('are below publicPath, whatever a proxy says', async (t) => {
    const { url } = await start(t, [], { trustedProxies: ['127.0.0.1'], publicPath: '/shown' });
    assert.equal(await read(`${url}/sitemap.xml`, forwarded), 'https://books.example/shown/');
  });
});

describe('a book of a public catalogue', () => {
  const hostile = '</script><script>alert(1)</script><!-- & "Emma"';
  const dataOf = async (url: string): Promise<unknown> => {
    const page = await browse(url);
    const [data, ...others] = page
      .all('script')
      .filter((each) => attribute(each, 'type') === 'application/ld+json');
    assert.ok(data !== undefined && others.length === 0);
    return JSON.parse(textOf(data));
  };

  test('is described for search engines, by its names and its year', async (t) => {
    const { url } = await start(t, [
      { title: 'Good Omens', author: 'Terry Pratchett; Gaiman, Neil', year: 1990 },
      { title: 'Odyssey', author: 'Homer', year: -700 },
      { title: hostile },
      { author: 'A;'.repeat(5001) },
    ]);
    const book = (id: number) => ({ '@id': `${url}/?book=${id}`, url: `${url}/?book=${id}` });
    const type = { '@context': 'https://schema.org', '@type': 'Book' };
    assert.deepEqual(await dataOf(`${url}/?book=1`), {
      ...type,
      ...book(1),
      name: 'Good Omens',
      author: [
        { '@type': 'Person', name: 'Terry Pratchett', givenName: 'Terry', familyName: 'Pratchett' },
        { '@type': 'Person', name: 'Neil Gaiman', givenName: 'Neil', familyName: 'Gaiman' },
      ],
      datePublished: '1990',
    });
    assert.deepEqual(await dataOf(`${url}/?book=2`), {
      ...type,
      ...book(2),
      name: 'Odyssey',
      author: ['Homer'],
    });
    assert.deepEqual(await dataOf(`${url}/?book=3`), { ...type, ...book(3), name: hostile });
    const { author } = (await dataOf(`${url}/?book=4`)) as { author: unknown[] };
    assert.equal(author.length, 1, 'so many names take too long for anybody who asks');
    const page = await browse(`${url}/?book=3`);
    assert.equal(page.all('script').length, 2, 'the data, and the script of the page');
  });

  test('has a description of its own in lists of results', async (t) => {
    const { url } = await start(t, [{ title: 'Emma', author: 'Jane Austen', year: 1815 }], {
      catalogueName: 'Village library',
    });
    const describe = async (address: string) =>
      (await browse(url + address))
        .all('meta')
        .filter((each) => attribute(each, 'name') === 'description')
        .map((each) => attribute(each, 'content'));
    assert.deepEqual(await describe('/?book=1'), ['Emma, Jane Austen, 1815 · Village library']);
    assert.deepEqual(await describe('/'), ['A catalogue of books.']);
  });
});

describe('opensearch.xml', () => {
  test('says how a browser searches the catalogue, and each page leads to it', async (t) => {
    const { url } = await start(t, [{ title: 'Emma' }], { catalogueName: 'Büche & <Bücherei> am See' });
    for (const address of ['/', '/?book=1', '/?q=emma']) {
      const page = await browse(url + address);
      const links = page.all('link').filter((each) => attribute(each, 'rel') === 'search');
      assert.deepEqual(
        links.map((each) => [attribute(each, 'type'), attribute(each, 'href'), attribute(each, 'title')]),
        [['application/opensearchdescription+xml', 'opensearch.xml', 'Büche & <Bücherei> am See']],
      );
    }
    const { status, headers, text } = await ask(`${url}/opensearch.xml`, {
      headers: { 'Accept-Language': 'de' },
    });
    assert.deepEqual(
      [status, headers['content-type'], headers.vary],
      [200, 'application/opensearchdescription+xml', 'Accept-Language'],
    );
    assert.match(text, /<ShortName>Büche &amp; &lt;Büchere<\/ShortName>/);
    assert.match(text, /<LongName>Büche &amp; &lt;Bücherei&gt; am See<\/LongName>/);
    assert.match(text, /<Description>[^<]*Büchern[^<]*<\/Description>/);
    assert.ok(text.includes(`<Url type="text/html" template="${url}/?q={searchTerms}"/>`));
    const [address = ''] = /(?<=template=")[^"]*/.exec(text) ?? [];
    assert.match((await browse(address.replace('{searchTerms}', 'emma'))).text, />Emma|<mark>Emma/);
  });
});
