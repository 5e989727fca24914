import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';

/** A response, unparsed. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values, as they were sent. */
  rawHeaders: string[];
  bytes: Buffer;
  text: string;
}

/** What a browser sends for a page. */
export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Sends a request on its own connection; does not follow redirects, and decodes nothing. */
export async function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: http.OutgoingHttpHeaders } = {},
): Promise<RawAnswer> {
  const request = http.request(url, { method, agent: false, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { statusCode: status = 0, rawHeaders } = response;
  return { status, headers: response.headers, rawHeaders, bytes, text: bytes.toString('utf8') };
}

export type Element = DefaultTreeAdapterTypes.Element;

/** A page, parsed as a browser without JavaScript does. */
export interface Page extends RawAnswer {
  /** The names of all elements. */
  elements: string[];
  /** The elements with a name, in order. */
  all(name: string): Element[];
  /** The text of the only element with this name. */
  one(name: string): string;
}

/** Requests a page as a browser does. */
export async function browse(url: string, headers: http.OutgoingHttpHeaders = {}): Promise<Page> {
  const answer = await ask(url, { headers: { Accept: browserAccept, ...headers } });
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8', answer.text);
  const errors: string[] = [];
  const document = parse(answer.text, {
    scriptingEnabled: false,
    onParseError: ({ code }) => errors.push(code),
  });
  assert.deepEqual(errors, [], answer.text);
  const elements = [...elementsBelow(document)];
  const all = (name: string) => elements.filter((element) => element.tagName === name);
  const one = (name: string) => {
    const [element, ...others] = all(name);
    assert.ok(element !== undefined && others.length === 0, `not one <${name}>: ${answer.text}`);
    return textOf(element);
  };
  return { ...answer, elements: elements.map(({ tagName }) => tagName), all, one };
}

function* elementsBelow(node: DefaultTreeAdapterTypes.ParentNode): Generator<Element> {
  for (const child of node.childNodes) {
    if (!defaultTreeAdapter.isElementNode(child)) continue;
    yield child;
    yield* elementsBelow(child);
  }
}

/** The text of an element, without the white space around it. */
export function textOf(node: DefaultTreeAdapterTypes.ParentNode): string {
  const inner = (each: DefaultTreeAdapterTypes.ParentNode): string =>
    each.childNodes
      .map((child) =>
        defaultTreeAdapter.isTextNode(child) ? child.value : 'childNodes' in child ? inner(child) : '',
      )
      .join('');
  return inner(node).replace(/^[ \n]+|[ \n]+$/g, '');
}

/** The value of an attribute. */
export function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value;
}

/** The address that the only link with this text leads to. */
export function linkTo(page: Page, url: string, text: string): string {
  const [link, ...others] = page.all('a').filter((each) => textOf(each) === text);
  assert.ok(link !== undefined && others.length === 0, `not one link ${text}`);
  return new URL(attribute(link, 'href') ?? '', url).href;
}
