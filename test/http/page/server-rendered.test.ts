import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient, openStore, ShelflistError, type BookFields } from '../../../src/index.ts';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { attribute, browse, linkTo, textOf, type Page } from '../../support/page.ts';
import { startService, type TestService } from '../../support/service.ts';
import { stubStore } from '../../support/stub-store.ts';
import type { Scope } from '../../support/temp.ts';
import type { AnyConfig } from '../../../src/server/config.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const open = {
  databaseUrl: 'memory:',
  page: true,
  publicRead: true,
  readLimit: 0,
} satisfies Partial<AnyConfig>;

/** A public service with books. */
async function shelve(
  context: Scope,
  books: readonly Partial<BookFields>[],
  config: Partial<AnyConfig> = {},
) {
  const service = await startService(context, { ...open, ...config });
  const { url, token } = service;
  const client = createClient({ url: url + (config.prefix ?? ''), token });
  for (const book of books) await client.create(book);
  client.close();
  return service;
}

/** The rows of the table: the texts of their cells. */
const rowsOf = (page: Page) =>
  page
    .all('tr')
    .map((row) => row.childNodes.flatMap((cell) => ('tagName' in cell ? [textOf(cell)] : [])))
    .slice(1);
const titlesOf = (page: Page) => rowsOf(page).map(([title]) => title);

/** The values of the fields of the form, by name. */
const formOf = (page: Page): Record<string, string | undefined> =>
  Object.fromEntries(
    page.all('input').map((each) => [attribute(each, 'name') ?? '', attribute(each, 'value')]),
  );

const austen = { author: 'Jane Austen' };
let service: TestService;
before(async () => {
  const numbered = Array.from({ length: 120 }, (_, i) => ({
    title: `Volume ${String(i).padStart(3, '0')}`,
    author: 'Anonymous',
    year: 1900 + i,
  }));
  service = await shelve(wholeFile, [
    { ...austen, title: 'Emma', year: 1815 },
    { ...austen, title: 'Persuasion', year: 1817 },
    { title: 'Gilgamesh', year: -1750 },
    {},
    ...numbered,
  ]);
});

describe('a reader without JavaScript', () => {
  test('gets the first books, their number, and a table with headers', async () => {
    const page = await browse(service.url);
    assert.equal(page.one('title'), 'Books – 124 books · shelflist');
    assert.equal(page.one('h1'), 'Books');
    const status = page.all('p').find((each) => attribute(each, 'role') === 'status');
    assert.equal(textOf(status ?? assert.fail()), '124 books');
    assert.equal(page.one('caption'), 'Books');
    assert.deepEqual(
      page
        .all('th')
        .filter((each) => attribute(each, 'scope') === 'col')
        .map(textOf),
      ['Title', 'Author', 'Year'],
    );
    assert.deepEqual(rowsOf(page).slice(0, 4), [
      ['Emma', 'Jane Austen', '1815'],
      ['Persuasion', 'Jane Austen', '1817'],
      ['Gilgamesh', '', '-1750'],
      ['(untitled)', '', ''],
    ]);
    assert.equal(rowsOf(page).length, 50);
  });

  test('has a description for search engines, which may follow its links', async () => {
    const page = await browse(service.url);
    const metas = page.all('meta').map((each) => [attribute(each, 'name'), attribute(each, 'content')]);
    assert.ok(metas.some(([name, content]) => name === 'description' && content === 'A catalogue of books.'));
    assert.ok(!metas.some(([name]) => name === 'robots'));
    assert.equal(page.headers['x-robots-tag'], undefined);
  });

  test('has labels for every field that can be typed in', async () => {
    const page = await browse(service.url);
    const labels = page.all('label').map((each) => attribute(each, 'for'));
    const typed = page.all('input').filter((each) => attribute(each, 'type') !== 'hidden');
    assert.deepEqual(
      typed.map((each) => attribute(each, 'id')),
      labels,
    );
    assert.deepEqual(labels, ['q', 'yearFrom', 'yearTo']);
    const [form] = page.all('form');
    assert.deepEqual(
      ['role', 'method', 'action'].map((name) => attribute(form ?? assert.fail(), name)),
      ['search', 'get', './'],
    );
  });

  test('searches, with the empty fields that a form sends', async () => {
    const page = await browse(`${service.url}/?q=aust+emm&yearFrom=&yearTo=`);
    assert.equal(page.one('title'), 'aust emm – 1 book · shelflist');
    assert.deepEqual(titlesOf(page), ['Emma']);
    assert.equal(formOf(page).q, 'aust emm');
  });

  test('filters by years, and keeps the other filters and the order', async () => {
    const page = await browse(`${service.url}/?yearFrom=1915&yearTo=1917&author=anonymous&sort=-year`);
    assert.deepEqual(titlesOf(page), ['Volume 017', 'Volume 016', 'Volume 015']);
    assert.deepEqual(formOf(page), {
      q: '',
      yearFrom: '1915',
      yearTo: '1917',
      author: 'anonymous',
      sort: '-year',
    });
    const all = await browse(linkTo(page, service.url, 'remove this filter'));
    assert.deepEqual(formOf(all), { q: '', yearFrom: '1915', yearTo: '1917', sort: '-year' });
  });

  test('sorts by every field, both ways', async () => {
    let page = await browse(`${service.url}/?q=volume&limit=2`);
    for (const [i, name] of fieldNames.entries()) {
      const label = ['Title', 'Author', 'Year'][i] ?? '';
      for (const order of ['ascending', 'descending']) {
        page = await browse(linkTo(page, service.url, label));
        const sorted = page.all('th').filter((each) => attribute(each, 'aria-sort') !== undefined);
        assert.deepEqual(
          sorted.map((each) => [textOf(each), attribute(each, 'aria-sort')]),
          [[label, order]],
        );
        const client = createClient({ url: service.url, token: service.token });
        const { items: books } = await client.page({
          q: 'volume',
          sort: order === 'ascending' ? name : `-${name}`,
          limit: 2,
        });
        client.close();
        assert.deepEqual(
          titlesOf(page),
          books.map(({ title }) => title),
        );
      }
    }
  });

  test('turns pages until every book was shown once, and goes back to the first', async () => {
    const seen: (string | undefined)[] = [];
    let page = await browse(`${service.url}/?sort=title&q=volume`);
    assert.ok(!page.all('a').some((each) => textOf(each) === 'First page'));
    for (;;) {
      seen.push(...titlesOf(page));
      if (!page.all('a').some((each) => attribute(each, 'rel') === 'next nofollow')) break;
      page = await browse(linkTo(page, service.url, 'Next page'));
      assert.equal(attribute(page.all('nav')[0] ?? assert.fail(), 'aria-label'), 'Pages');
    }
    assert.equal(seen.length, 120);
    assert.deepEqual(seen, [...new Set(seen)].sort());
    const first = await browse(linkTo(page, service.url, 'First page'));
    assert.deepEqual(titlesOf(first), seen.slice(0, 50));
  });

  test('sees one book, and comes back', async () => {
    const list = await browse(service.url);
    const book = await browse(linkTo(list, service.url, 'Emma'));
    assert.equal(book.one('title'), 'Emma · shelflist');
    assert.equal(book.one('h1'), 'Emma');
    assert.deepEqual(book.all('dt').map(textOf), ['Author', 'Year']);
    assert.deepEqual(book.all('dd').map(textOf), ['Jane Austen', '1815']);
    const back = await browse(linkTo(book, service.url, 'All books'));
    assert.equal(back.text, list.text);
  });

  test('sees the books of an author', async () => {
    const list = await browse(`${service.url}/?limit=1&sort=year&yearFrom=1000`);
    const page = await browse(linkTo(list, service.url, 'Jane Austen'));
    assert.deepEqual(titlesOf(page), ['Emma']);
    assert.equal(page.one('title'), 'Author Jane Austen – 2 books · shelflist');
  });

  test('gets the books of the best correction if nothing was found, or nothing and other words', async () => {
    const page = await browse(`${service.url}/?q=persuazion`);
    assert.equal(page.one('title'), 'persuazion – 1 book · shelflist');
    assert.deepEqual(titlesOf(page), ['Persuasion']);
    assert.match(page.text, /Showing results for/);
    const exact = await browse(linkTo(page, service.url, 'Search for persuazion instead'));
    assert.equal(exact.one('title'), 'persuazion – No book was found. · shelflist');
    assert.deepEqual(exact.all('table'), []);
    const corrected = await browse(linkTo(exact, service.url, 'persuasion'));
    assert.deepEqual(titlesOf(corrected), ['Persuasion']);
    assert.doesNotMatch(corrected.text, /Showing results for/);
    const nothing = await browse(`${service.url}/?q=qqqqqqqq`);
    assert.ok(!nothing.text.includes('Did you mean'));
  });

  test('is told that words contain what was searched for, if none begins with it', async () => {
    const page = await browse(`${service.url}/?q=suasion`);
    assert.deepEqual(titlesOf(page), ['Persuasion']);
    assert.match(
      page.text,
      /No book matches “suasion” at the beginning of words; showing matches inside words\./,
    );
    assert.doesNotMatch((await browse(`${service.url}/?q=pers`)).text, /inside words/);
  });

  test('pages through the books of a correction', async () => {
    const first = await browse(`${service.url}/?q=austin&limit=1`);
    const second = await browse(linkTo(first, service.url, 'Next page'));
    assert.deepEqual([...titlesOf(first), ...titlesOf(second)], ['Emma', 'Persuasion']);
  });

  test('sees what was found in titles and authors', async () => {
    const page = await browse(`${service.url}/?q=aus&titleWords=em`);
    assert.deepEqual(page.all('mark').map(textOf), ['Em', 'Aus']);
  });

  test('gets an empty catalogue', async (t) => {
    const empty = await shelve(t, []);
    const page = await browse(empty.url);
    assert.equal(page.one('title'), 'Books – No book was found. · shelflist');
  });

  test('gets the list for a query that only the script uses, such as the level of duplicates', async () => {
    for (const query of ['level=typo', 'level=nothing&sort=title']) {
      const page = await browse(`${service.url}/?${query}`);
      assert.deepEqual([page.status, titlesOf(page).length], [200, 50], query);
    }
  });

  test('is told which views need JavaScript', async () => {
    for (const view of ['stats', 'trash', 'import', 'duplicates']) {
      const page = await browse(`${service.url}/?view=${view}`);
      assert.equal(page.status, 200);
      assert.match(page.one('noscript'), /needs JavaScript/);
    }
  });

  test('who speaks German gets German', async () => {
    const headers = { 'Accept-Language': 'de' };
    const page = await browse(`${service.url}/?q=volume`, headers);
    assert.equal(page.one('title'), 'volume – 120 Bücher · shelflist');
    assert.deepEqual(
      page
        .all('th')
        .filter((each) => attribute(each, 'scope') === 'col')
        .map(textOf),
      ['Titel', 'Autor', 'Jahr'],
    );
    assert.equal(attribute(page.all('html')[0] ?? assert.fail(), 'lang'), 'de');
  });
});

test('articles are ignored as in GET /books, below a prefix too', async (t) => {
  const books = ['The Trial', 'Amerika', 'A Castle'].map((title) => ({ title }));
  const { url } = await shelve(t, books, { sortArticles: ['the', 'a'], prefix: '/c' });
  const page = await browse(`${url}/c/?sort=title&limit=2`);
  assert.deepEqual(titlesOf(page), ['Amerika', 'A Castle']);
  const next = await browse(linkTo(page, `${url}/c/`, 'Next page'));
  assert.deepEqual(titlesOf(next), ['The Trial']);
});

describe('an address that is not valid is a page that says so, with a link to the start', () => {
  const table: [query: string, status: number, says: RegExp][] = [
    ['limit=0', 400, /"limit": malformed value/],
    ['limit=1001', 400, /"limit": malformed value/],
    ['q=a&q=b', 400, /"q": repeated parameter/],
    ['sort=colour', 400, /"sort": malformed value/],
    ['after=nonsense', 400, /"after" is not a cursor/],
    ['q=%ff', 400, /not percent-encoded UTF-8/],
    ['view=nonsense', 400, /"view": malformed value/],
    ['book=999', 404, /no such book/],
    ['book=007', 404, /no such book/],
    ['book=x', 404, /no such book/],
  ];
  for (const [query, status, says] of table) {
    test(`${query}: ${status}`, async () => {
      const page = await browse(`${service.url}/?${query}`);
      assert.equal(page.status, status);
      assert.match(page.one('main'), says);
      assert.ok(page.headers['content-security-policy']?.includes("default-src 'none'"));
      assert.equal(page.headers.etag, undefined);
      assert.deepEqual(page.all('img'), []);
      assert.equal(linkTo(page, service.url, 'All books'), `${service.url}/`);
    });
  }
});

for (const foreign of ['utm_source=x', 'fbclid=a&fbclid=b', '%ff=1', '%3Cimg%20src%3Dx%3E=1', 'toString=1'])
  test(`a link to which another site has added ${foreign} shows its books`, async (t) => {
    const { url } = await shelve(t, [{ title: 'Emma' }, { title: 'Orlando' }]);
    const page = await browse(`${url}/?${foreign}&q=emma`);
    assert.equal(page.status, 200);
    assert.deepEqual(titlesOf(page), ['Emma']);
    assert.deepEqual(page.all('img'), []);
  });

describe('a store that fails', () => {
  test('is a page with status 503 that the script takes over, and a line in the log', async (t) => {
    const store = stubStore(new ShelflistError('unavailable', { cause: new Error('s3cret') }));
    const failing = await startService(t, { page: true, publicRead: true, store });
    for (const path of ['/', '/?book=1']) {
      const page = await browse(failing.url + path);
      assert.equal(page.status, 503);
      assert.equal(page.headers['retry-after'], '5');
      assert.match(page.one('main'), /cannot be reached/);
      assert.ok(!page.text.includes('s3cret'));
      assert.equal(page.all('script').length, 1);
    }
    assert.equal(failing.log.length, 2);
    for (const line of failing.log) assert.match(line, /s3cret/);
  });

  test('to count the books shows them without their number', async (t) => {
    const store = await openStore('memory:');
    const count = () => Promise.reject(new ShelflistError('unavailable'));
    const { url } = await startService(t, { page: true, publicRead: true, store: { ...store, count } });
    await store.create({ title: 'Emma' });
    const page = await browse(`${url}/`);
    assert.deepEqual([page.status, page.one('title')], [200, 'Books · shelflist']);
    assert.match(page.one('tbody'), /Emma/);
    assert.match(page.text, /<p role="status"><\/p>/);
  });

  test('unexpectedly is 500 in the envelope', async (t) => {
    const store = stubStore(new Error('s3cret'));
    const failing = await startService(t, { page: true, publicRead: true, store });
    const { envelope } = await failing.request('GET', '/', { headers: { Accept: 'text/html' } });
    assert.deepEqual(envelope, { status: 500, message: 'Internal server error', data: null });
    assert.equal(failing.log.length, 1);
  });
});

describe('hostile texts are shown literally', () => {
  let hostile: TestService;
  before(async () => {
    hostile = await shelve(
      wholeFile,
      hostileTexts.flatMap((text) => [{ title: text, author: text }]),
    );
  });

  /** What a harmless page consists of. */
  const harmless = [
    ...['html', 'head', 'meta', 'title', 'link', 'script', 'body', 'div', 'header', 'main', 'h1', 'nav'],
    ...['form', 'label', 'input', 'button', 'p', 'ul', 'li', 'bdi', 'a', 'noscript', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'mark'],
  ];
  const check = (page: Page) => {
    assert.deepEqual(
      page.elements.filter((name) => !harmless.includes(name)),
      [],
    );
    // The other one is data for search engines, which browsers do not run.
    const run = page.all('script').filter((each) => attribute(each, 'type') !== 'application/ld+json');
    assert.equal(run.length, 1);
    assert.ok(page.all('script').length <= 2);
    assert.equal(page.all('form').length <= 1, true);
    for (const link of page.all('a'))
      assert.equal(new URL(attribute(link, 'href') ?? '', 'http://x/').origin, 'http://x');
  };

  test('in a list, in cells of unknown direction', async () => {
    const page = await browse(`${hostile.url}/?limit=100`);
    check(page);
    assert.deepEqual(
      rowsOf(page).map(([title, author]) => [title, author]),
      hostileTexts.map((text) => [text, text]),
    );
    for (const cell of page.all('td')) assert.equal(attribute(cell, 'dir'), 'auto');
  });

  for (const [i, text] of hostileTexts.entries()) {
    test(`as a book, as a search and as a filter: ${JSON.stringify(text)}`, async () => {
      const book = await browse(`${hostile.url}/?book=${i + 1}`);
      check(book);
      assert.equal(book.one('h1'), text);
      assert.equal(book.one('title'), `${text} · shelflist`);

      const search = await browse(`${hostile.url}/?q=${encodeURIComponent(text)}`);
      check(search);
      assert.equal(formOf(search).q, text);
      assert.ok(search.one('title').startsWith(`${text} – `));

      const filtered = await browse(`${hostile.url}/?author=${encodeURIComponent(text)}`);
      check(filtered);
      assert.equal(formOf(filtered).author, text);
      assert.ok(titlesOf(filtered).includes(text));
    });
  }
});
