import { ShelflistError } from '../../catalogue/errors.ts';
import { encodeForHeader, type Headers, notModified, type Reply } from '../http/reply.ts';
import { encoded, tagOf } from '../http/negotiation.ts';
import { preconditionParameters, unmodified } from '../openapi/parameters.ts';
import type { Route } from '../routes/route.ts';
import type { WebPageConfig } from './show-page.ts';

/** Loaded on the first request, so that the page costs the start of a service nothing. */
const loadPage = () => import('./show-page.ts');
const loadDiscovery = () => import('./discovery.ts');
const loadAssets = async () => (await import('./assets.ts')).loadAssets();

/** `GET /` for browsers, and the files below `/assets/`. */
export function pageRoutes(options: WebPageConfig): Route[] {
  return [
    pageRoute(options),
    assetRoute(),
    robotsRoute(options),
    sitemapRoute(options),
    openSearchRoute(options),
  ];
}

function pageRoute(options: WebPageConfig): Route {
  return {
    method: 'GET',
    path: '/',
    isLong: true,
    isForBrowsers: true,
    public: true,
    asksForUser: true,
    status: 200,
    message: '',
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Accept-Encoding, Accept-Language',
      ...securityHeaders(options.publicPath !== undefined),
    },
    operation: {
      id: 'getPage',
      tag: 'page',
      summary: 'The web page',
      description:
        'For requests whose `Accept` includes `text/html`. Others get 404. If everybody may read the books, the page has ' +
        'those that the parameters of `GET /books` select, or the `book` with an id.',
      parameters: preconditionParameters,
      data: { type: 'string', examples: ['<!doctype html>\n'] },
      headers: ['ETag', 'Content-Encoding'],
      errors: [
        'not_found',
        'precondition_failed',
        ...(options.hasOwnLogin || options.publicRead ? [] : (['token_required'] as const)),
        ...(options.publicReaders ? (['too_many_requests'] as const) : []),
      ],
      pages: {
        400: 'A parameter is repeated or malformed.',
        ...(!options.hasOwnLogin && !options.publicRead && { 401: 'The app does not know the user.' }),
        404: 'No book has this id, or nothing has this address.',
        ...(options.publicReaders && { 429: 'The address has sent too many requests.' }),
        503: 'The store is unreachable.',
      },
      bodiless: { ...unmodified, 308: 'The address of the page ends in `/`.' },
    },
    async handle(call) {
      // The addresses in the page are relative to the folder.
      if (call.pathParameter === '' && !call.path.endsWith('/'))
        return redirectToFolder(call.path, call.query);
      return (await loadPage()).showPage(call, options);
    },
  };
}

function assetRoute(): Route {
  return {
    method: 'GET',
    path: '/assets/{asset}',
    public: true,
    status: 200,
    message: '',
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    },
    operation: {
      id: 'getAsset',
      tag: 'page',
      summary: 'A file of the web page',
      description: 'Its script or its style. The name changes with the contents.',
      parameters: preconditionParameters,
      contentTypes: ['text/javascript; charset=utf-8', 'text/css; charset=utf-8'],
      data: { type: 'string' },
      headers: ['ETag', 'Content-Encoding'],
      errors: ['not_found', 'precondition_failed'],
      bodiless: unmodified,
    },
    async handle({ pathParameter: name, acceptEncoding, preconditions }) {
      const asset = (await loadAssets()).byName.get(name);
      if (asset === undefined) throw new ShelflistError('not_found');
      const { body, encoding, headers } = encoded(asset.bodies, acceptEncoding);
      const tag = tagOf(asset.hash, encoding);
      if (preconditions.isNotModified(tag)) return notModified(tag);
      return { body, tag, headers: { 'Content-Type': asset.type, ...headers } };
    },
  };
}

/** The addresses that crawlers may read, by their beginnings or, with `$`, as a whole. */
const open = ['$', '?book=', 'assets/', 'sitemap.xml'];

/** `GET /robots.txt`: crawlers may read the first page of a public catalogue, and each book (RFC 9309). */
function robotsRoute({ showsBooks }: WebPageConfig): Route {
  return {
    method: 'GET',
    path: '/robots.txt',
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    operation: {
      id: 'getRobots',
      tag: 'page',
      summary: 'What crawlers may read',
      description:
        'The first page and the books if everybody may read them, and the address of the sitemap; else nothing. Without an envelope.',
      data: { type: 'string', examples: ['User-agent: *\nDisallow: /\n'] },
    },
    handle(call) {
      const { folderUrl } = call;
      const folder =
        folderUrl === undefined
          ? encodeForHeader(call.path.slice(0, call.path.lastIndexOf('/') + 1))
          : new URL(folderUrl).pathname; // A proxy can have removed its beginning.
      const allowed = showsBooks ? open.map((end) => `Allow: ${folder}${end}\n`) : [];
      const sitemap = showsBooks && folderUrl !== undefined ? `\nSitemap: ${folderUrl}sitemap.xml\n` : '';
      return { body: `User-agent: *\nDisallow: ${folder}\n${allowed.join('')}${sitemap}` };
    },
  };
}

/** `GET /sitemap.xml`: the addresses of the books of a public catalogue. */
function sitemapRoute(options: WebPageConfig): Route {
  return {
    method: 'GET',
    path: '/sitemap.xml',
    isLong: true,
    public: true,
    status: 200,
    message: '',
    headers: { 'Cache-Control': 'private, no-cache' }, // Its addresses begin as the request was addressed.
    operation: {
      id: 'getSitemap',
      tag: 'page',
      summary: 'The addresses of all books',
      description:
        'For search engines, if everybody may read the books; else 404. More than 49,999 ids need several sitemaps: then it is an index of ' +
        'their addresses. Without an envelope.',
      parameters: [
        {
          name: 'part',
          in: 'query',
          description: 'A sitemap of the index.',
          schema: { type: 'integer', minimum: 1, maximum: 50_000 },
        },
        ...preconditionParameters,
      ],
      contentTypes: ['application/xml; charset=utf-8'],
      data: { type: 'string' },
      headers: ['ETag'],
      errors: [
        'not_found',
        'invalid_query',
        'precondition_failed',
        'unavailable',
        ...(options.publicReaders ? (['too_many_requests'] as const) : []),
      ],
      bodiless: unmodified,
    },
    async handle(call) {
      return (await loadDiscovery()).showSitemap(call, options);
    },
  };
}

/** `GET /opensearch.xml`: how browsers search a public catalogue. */
function openSearchRoute(options: WebPageConfig): Route {
  return {
    method: 'GET',
    path: '/opensearch.xml',
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': 'application/opensearchdescription+xml', Vary: 'Accept-Language' },
    operation: {
      id: 'getOpenSearch',
      tag: 'page',
      summary: 'The catalogue as a search engine',
      description:
        'For browsers (OpenSearch 1.1), if everybody may read the books; else 404. Without an envelope.',
      data: { type: 'string' },
      errors: ['not_found'],
    },
    async handle(call) {
      return (await loadDiscovery()).showOpenSearch(call, options);
    },
  };
}

function redirectToFolder(path: string, query: string): Reply {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const search = query === '' ? '' : `?${encodeForHeader(query)}`;
  return { status: 308, body: '', headers: { Location: `${name === '' ? '' : `./${name}`}/${search}` } };
}

/**
 * The headers of every page. Its only sources are its own script, its own style and the API below the same origin; the icon is
 * a `data:` address. No text can become code: without inline scripts, and without a Trusted Types policy.
 *
 * @param hasBase Whether the page names the folder of its addresses, which are relative.
 */
const securityHeaders = (hasBase: boolean): Headers => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    `base-uri ${hasBase ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});
