import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../src/index.ts';
import { stubStore } from './stub-store.ts';
import type { AnyConfig } from '../../src/server/config.ts';
import type { ServerConfig, SettingsKeeper } from '../../src/index.ts';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Response {
  description: string;
  headers: Record<string, { required?: boolean; schema: Schema }>;
  /** Missing for a response without a body. */
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security: object[];
  responses: Record<string, Response>;
}

/** The parts of an OpenAPI document that tests read. Every `$ref` is resolved. */
export interface ApiDocument {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, { parameters: Parameter[] } & Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** The settings that requests may change: none is kept. */
function createSettings(): SettingsKeeper {
  const read = () =>
    Promise.resolve({
      settings: {
        catalogueName: 'shelflist',
        pageLanguage: 'auto' as const,
        publicRead: false,
        sortArticles: [],
        sortNames: 'family' as const,
        bookLookup: 'off',
      },
      fixed: [],
      restart: [],
      addresses: [],
    });
  return { live: {}, read, change: read, onChange: () => () => undefined };
}

/** Settings of a service with every option enabled. */
export const everything = {
  metrics: true,
  corsOrigins: ['*'],
  page: true,
  acceptBearer: true,
  authorize: () => true,
  storePassword: () => undefined,
  settings: createSettings(),
  bookLookup: 'http://127.0.0.1:9/?isbn={isbn}', // Nothing listens there.
} satisfies Partial<AnyConfig>;

/** The text of the document of a service with every option enabled, or with these settings. */
export async function documentText(config: Partial<AnyConfig> = everything): Promise<string> {
  const server = await createServer({
    secretToken: 'a-secret-for-tests-only-with-40-bytes!!!',
    authUsername: 'a',
    authPassword: 'b',
    store: stubStore(new Error('unused')),
    ...config,
  } as ServerConfig);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${config.prefix ?? ''}/openapi.json`);
  const text = await answer.text();
  server.close();
  return text;
}

/** Reads a document, resolves each `$ref`, and adds what every path has without being told: HEAD and OPTIONS. */
export function parseDocument(text: string): ApiDocument {
  const document: unknown = JSON.parse(text);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value) return resolve(find(document, value.$ref as string));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each)]));
  };
  return withImplied(resolve(document) as ApiDocument);
}

/** Like GET, without a body. */
function headOf(get: Operation): Operation {
  const responses = Object.entries(get.responses).map(([status, { content: _, ...head }]) => [status, head]);
  return {
    ...get,
    operationId: `${get.operationId}Headers`,
    responses: Object.fromEntries(responses) as Operation['responses'],
  };
}

/** The methods of a path; with CORS, also for preflight requests. Its errors are those of any request. */
function optionsOf(path: string, document: ApiDocument): Operation {
  const { BadRequest, RequestTimeout, BodyTooLarge, ExpectationFailed, HeadersTooLarge, Internal, NotFound } =
    document.components.responses;
  const common = NotFound?.headers ?? {};
  const isCrossOrigin = 'Access-Control-Allow-Origin' in common;
  const text = { required: true, schema: { type: 'string' } };
  const headers = {
    ...common,
    Allow: text,
    ...(isCrossOrigin && {
      'Access-Control-Allow-Methods': { schema: text.schema },
      'Access-Control-Allow-Headers': { schema: text.schema },
      'Access-Control-Max-Age': { schema: { type: 'integer' } },
    }),
  };
  return {
    operationId: `options ${path}`,
    tags: [],
    security: [],
    responses: {
      204: { description: '', headers },
      ...Object.fromEntries(
        [BadRequest, RequestTimeout, BodyTooLarge, ExpectationFailed, HeadersTooLarge, Internal].flatMap(
          (response) => (response === undefined ? [] : [[String(outcomesOf(response)?.status), response]]),
        ),
      ),
    },
  };
}

function withImplied(document: ApiDocument): ApiDocument {
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.get !== undefined) item.head = headOf(item.get);
    if (path !== '/') item.options = optionsOf(path, document); // Only browsers know it.
  }
  return document;
}

function find(document: unknown, pointer: string): unknown {
  const found = pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => (value as Record<string, unknown>)[name], document);
  if (found === undefined) throw new Error(`the document names ${pointer} and has none`);
  return found;
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

/** Every operation of a document, with its method and path. */
export function operationsOf({
  paths,
}: ApiDocument): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, Operation][])
      .filter(([name]) => methods.includes(name))
      .map(([name, operation]) => ({ method: name.toUpperCase(), path, operation })),
  );
}

/** The status and the messages of a response in the envelope; `undefined` for one outside it. */
export function outcomesOf({ content }: Response): { status: number; messages: string[] } | undefined {
  const schema = content?.['application/json']?.schema as { allOf?: [Schema, Schema] } | undefined;
  if (schema?.allOf === undefined) return undefined;
  const { status, message } = schema.allOf[1].properties as Record<
    'status' | 'message',
    { const?: unknown; enum?: string[] }
  >;
  return { status: status.const as number, messages: message.enum ?? [message.const as string] };
}

/** The operation that a request names, wherever the service is mounted; `undefined` when there is none. */
export function operationFor(document: ApiDocument, method: string, target: string): Operation | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/\?.*/s, '');
  const segments = path.split('/').slice(1);
  for (let from = 0; from < segments.length; from++) {
    const below = `/${segments.slice(from).join('/')}`;
    const item =
      document.paths[below] ??
      document.paths[below.replace(/^\/book\/[^/]+/, '/book/{id}')] ??
      document.paths[below.replace(/^\/batch\/[^/]+/, '/batch/{batch}')] ??
      document.paths[below.replace(/^\/assets\/[^/]+/, '/assets/{asset}')];
    if (item !== undefined) return item[method.toLowerCase()];
  }
  return undefined;
}
