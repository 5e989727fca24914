import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from 'parse5';

/** Elements whose address a browser loads by itself. A link that a reader follows is none of them. */
const loading = ['script', 'img', 'iframe', 'source', 'video', 'audio', 'embed', 'object'];
const loadingRelations =
  /\b(stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/;

/** The site is read from files: this host stands in for that of its address. */
const origin = 'http://site.invalid';

/**
 * Reads the HTML of a built site.
 *
 * @param folder The site, as it is served below `base`.
 * @returns The names of its pages, the number of their links, and its faults: links and anchors that lead nowhere, and what
 * pages load from other hosts.
 */
export function inspectSite(folder, base = '/') {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html'))
      .map((name) => name.replaceAll('\\', '/'))
      .map((name) => [name, readPage(readFileSync(join(folder, name), 'utf8'))]),
  );
  const faults = [];
  let links = 0;
  for (const [page, { addresses }] of pages)
    for (const { address, isLoaded } of addresses) {
      const url = new globalThis.URL(address, origin + posix.join(base, page));
      if (url.origin === origin) {
        links++;
        if (!isThere(url)) faults.push(`${page} links to ${address}, which is not there`);
      } else if (isLoaded && url.protocol !== 'data:')
        faults.push(`${page} loads ${address} from another host`);
    }
  return { pages: [...pages.keys()].sort(), links, faults };

  function isThere({ pathname, hash }) {
    if (!pathname.startsWith(base)) return false;
    const path = decodeURIComponent(pathname.slice(base.length));
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const target = pages.get(name);
    if (target === undefined) return hash === '' && existsSync(join(folder, name));
    return hash === '' || target.ids.has(decodeURIComponent(hash.slice(1)));
  }
}

/** The addresses and the anchors of a page. */
function readPage(html) {
  const addresses = [];
  const ids = new Set();
  const visit = (node) => {
    const attributes = Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value]));
    const { id, href, src, rel = '' } = attributes;
    if (id !== undefined) ids.add(id);
    if (href !== undefined)
      addresses.push({ address: href, isLoaded: node.tagName === 'link' && loadingRelations.test(rel) });
    if (src !== undefined) addresses.push({ address: src, isLoaded: loading.includes(node.tagName) });
    for (const child of [...(node.childNodes ?? []), ...(node.content?.childNodes ?? [])]) visit(child);
  };
  visit(parse(html));
  return { addresses, ids };
}
