import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ask, attribute, browse } from '../../support/page.ts';
import { startService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const { url } = await startService(wholeFile, { databaseUrl: 'memory:', page: true });
const page = await browse(url);
const scripts = page.all('script');
const styles = page.all('link').filter((link) => attribute(link, 'rel') === 'stylesheet');
const files = [
  { name: attribute(scripts[0] ?? assert.fail(), 'src') ?? '', type: 'text/javascript; charset=utf-8' },
  { name: attribute(styles[0] ?? assert.fail(), 'href') ?? '', type: 'text/css; charset=utf-8' },
];

test('the page has one script and one style, named by their contents and relative to it', () => {
  assert.deepEqual([scripts.length, styles.length], [1, 1]);
  assert.match(files[0]?.name ?? '', /^assets\/app-[0-9a-f]{16}\.js$/);
  assert.match(files[1]?.name ?? '', /^assets\/app-[0-9a-f]{16}\.css$/);
});

test('the script with the texts of the reader loads at once with that of the page; English needs none', async () => {
  const preloads = (document: typeof page) =>
    document.all('link').flatMap((link) => (attribute(link, 'rel') === 'modulepreload' ? [link] : []));
  assert.deepEqual(preloads(page), []);
  const [link = assert.fail(), ...others] = preloads(await browse(url, { 'Accept-Language': 'de' }));
  assert.deepEqual(others, []);
  const name = attribute(link, 'href') ?? '';
  assert.match(name, /^assets\/texts-de-\w+\.js$/);
  const script = await ask(`${url}/${name}`);
  assert.equal(script.status, 200);
  assert.match(script.text, /Abbrechen/);
  assert.doesNotMatch(script.text, /braucht JavaScript/, 'it has no texts of the server');
});

for (const { name, type } of files) {
  describe(name.replace(/-\w+/, ''), () => {
    test('is immutable, and its type is not guessed', async () => {
      const { status, headers } = await ask(`${url}/${name}`);
      assert.equal(status, 200);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['content-type'], type);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers.vary, 'Accept-Encoding');
    });

    const decode: Record<string, (bytes: Buffer) => Buffer> = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
    };
    for (const encoding of ['br', 'gzip', undefined]) {
      test(`has the same contents as ${encoding ?? 'plain text'}, under another tag`, async () => {
        const plain = await ask(`${url}/${name}`);
        const headers = { 'Accept-Encoding': encoding ?? 'identity' };
        const answer = await ask(`${url}/${name}`, { headers });
        assert.equal(answer.headers['content-encoding'], encoding);
        assert.equal(answer.headers['content-length'], String(answer.bytes.length));
        const text = (decode[encoding ?? '']?.(answer.bytes) ?? answer.bytes).toString();
        assert.equal(text, plain.text);
        assert.equal(answer.headers.etag === plain.headers.etag, encoding === undefined);

        const { etag } = answer.headers;
        const again = await ask(`${url}/${name}`, { headers: { ...headers, 'If-None-Match': etag } });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag]);
        const other = await ask(`${url}/${name}`, { headers: { ...headers, 'If-None-Match': '"x"' } });
        assert.equal(other.status, 200);
        const head = await ask(`${url}/${name}`, { headers, method: 'HEAD' });
        assert.deepEqual([head.text, head.headers['content-length']], ['', answer.headers['content-length']]);
      });
    }
  });
}

test('browsers get the smaller encoding', async () => {
  const [script] = files;
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
  const br = await ask(`${url}/${script?.name ?? ''}`, { headers });
  const gzip = await ask(`${url}/${script?.name ?? ''}`, { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(br.headers['content-encoding'], 'br');
  assert.ok(br.bytes.length < gzip.bytes.length * 1.1);
});

test('the script and the style have under 60 KB in all, compressed by gzip', async () => {
  const sizes = files.map(async ({ name }) => {
    const { bytes } = await ask(`${url}/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
    return bytes.length;
  });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size);
  assert.ok(total < 60_000, `${total} bytes`);
});

describe('a file that does not exist is 404 in the envelope', () => {
  for (const path of [
    'app.js',
    'app-0000000000000000.js',
    '__proto__',
    '%2e%2e',
    '..%2fpackage.json',
    'app.js.map',
  ]) {
    test(path, async () => {
      const { status, text, headers } = await ask(`${url}/assets/${path}`);
      assert.deepEqual([status, text], [404, '{"status":404,"message":"Not found","data":null}']);
      assert.equal(headers['cache-control'], 'no-store');
    });
  }

  test('a file cannot be written', async () => {
    const { status, headers } = await ask(`${url}/${files[0]?.name ?? ''}`, { method: 'POST' });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
  });
});
