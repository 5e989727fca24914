import { after } from 'node:test';
import process from 'node:process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFetchHandler } from '../../src/index.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { collectInto, credentials, secretToken } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

/** Where the page is. */
const base = 'http://page.test/';

/** The history of a tab. Going back takes a moment, as in a browser. */
class History {
  #entries: { state: unknown; url: string }[] = [{ state: null, url: base }];
  #at = 0;

  get #now() {
    return this.#entries[this.#at] ?? { state: null, url: base };
  }
  get state() {
    return this.#now.state;
  }
  get length() {
    return this.#entries.length;
  }
  get url() {
    return new URL(this.#now.url);
  }
  pushState(state: unknown, _: string, url = this.#now.url) {
    this.#entries.splice(++this.#at, Infinity, { state, url: new URL(url, base).href });
  }
  replaceState(state: unknown, _: string, url = this.#now.url) {
    this.#entries[this.#at] = { state, url: new URL(url, base).href };
  }
  back() {
    setImmediate(() => {
      this.#at--;
      events.dispatchEvent(new Event('popstate'));
    });
  }
  /** Begins anew, at an address. */
  open(search: string) {
    this.#entries = [{ state: null, url: new URL(search, base).href }];
    this.#at = 0;
    events.dispatchEvent(new Event('popstate'));
  }
}

class Values extends Map<string, string> {
  getItem(key: string) {
    return this.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.set(key, value);
  }
  removeItem(key: string) {
    this.delete(key);
  }
}

/** A channel that does not keep the process alive. */
class Channel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    (this as unknown as { unref: () => void }).unref();
  }
}

const events = new EventTarget();
const documentEvents = new EventTarget();

/** The state of the browser that tests read and set. */
export const browser = {
  /** Events of the window. */
  events,
  documentEvents,
  history: new History(),
  sessionStorage: new Values(),
  /** Answers a request; tests replace it. */
  fetch: (_: Request): Promise<Response> => Promise.reject(new TypeError('no service')),
};

const on = (target: EventTarget) => ({
  addEventListener: target.addEventListener.bind(target),
  removeEventListener: target.removeEventListener.bind(target),
});
const importFile = join(import.meta.dirname, '../../src/page/state/import-file.ts');
const globals: Readonly<Record<string, unknown>> = {
  ...on(events),
  navigator: { onLine: true, languages: ['en'] },
  document: {
    ...on(documentEvents),
    baseURI: base,
    visibilityState: 'visible',
    getElementById: () => ({ dataset: { name: 'Shelf', publicRead: 'false', canChangePassword: 'true' } }),
  },
  history: browser.history,
  location: {
    get search() {
      return browser.history.url.search;
    },
    pathname: '/',
    hash: '',
    reload: () => undefined,
  },
  sessionStorage: browser.sessionStorage,
  localStorage: new Values(),
  BroadcastChannel: Channel,
  fetch: (url: string, init: RequestInit) => browser.fetch(new Request(url, init)),
  reportError: () => undefined,
  importScript: pathToFileURL(
    process.env.COMPILED_FOLDER === undefined ? importFile : compiledPath(importFile),
  ).href,
};

/** Makes this process a browser tab until the tests of this file end, so that the state of the page can be imported. */
export function becomeBrowser(): void {
  const before = Object.keys(globals).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  after(() => {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
  });
}

/** Serves a new catalogue to the page: the real service, without a connection. Returns the requests that it has answered. */
export async function serve(scope: Scope): Promise<string[]> {
  const handler = await createFetchHandler({
    secretToken,
    authUsername: credentials.username,
    authPassword: credentials.password,
    databaseUrl: 'memory:',
    logger: collectInto([]),
  });
  const requests: string[] = [];
  browser.fetch = async (request) => {
    const response = await handler(request, { remoteAddress: '127.0.0.1' });
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return response;
  };
  scope.after(() => handler.close());
  return requests;
}

/** Makes requests fail, as without a connection, until the returned function is called. */
export function disconnect(): () => void {
  const { fetch } = browser;
  browser.fetch = () =>
    Promise.reject(
      new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
    );
  return () => {
    browser.fetch = fetch;
  };
}

/** Waits until a store of the page has a value. */
export function until<Value>(
  store: { readonly value: Value; subscribe: (listener: () => void) => () => void },
  isDone: (value: Value) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isDone(store.value)) return;
      end();
      resolve();
    };
    const end = store.subscribe(look);
    look();
  });
}
