import { author, license, version } from '../../../package.json';
import type { Route } from '../route.ts';
import { headers } from './headers.ts';
import type { Operation } from './operation.ts';
import { createResponses } from './responses.ts';
import { ref, schemas, type Schema } from './schemas.ts';
import { tags, type TagName } from './tags.ts';

const description = `A book catalogue: create, list, read, update and delete books.

Get a token with \`POST /token\` and send it as the whole value of the \`Authorization\` header, with no scheme
before it.

Every answer, success or error, is an envelope: \`{"status", "message", "data"}\`, where \`status\` is the HTTP status
again, \`message\` is fixed text, and \`data\` is \`null\` for every error. Only this document and \`GET /metrics\` stand in
none; an answer to HEAD has no body.

A path that is not listed here is answered 404 \`Not found\`, and another method on a path that is listed
405 \`Method not allowed\`, with the methods that there are in \`Allow\` (the responses \`NotFound\` and \`MethodNotAllowed\`
of the components).`;

const parameters = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description:
      'The id of a book, in canonical decimal: `7`, not `07` or `7.0`. What is none names no book: 404.',
    schema: ref('Id'),
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id for the request, which its answer and the log repeat: 1 to 128 characters of `A-Z a-z 0-9 . _ ~ -`. ' +
      'Anything else is replaced by a new one.',
    schema: { type: 'string' },
  },
} as const;

/** The OpenAPI 3.1 document of these routes, but for the address that they are served at. */
export function createDocument(routes: readonly Route[]): Schema {
  const responses = createResponses(routes.some(({ method }) => method === 'OPTIONS'));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {
      parameters: [
        ...(route.path.endsWith('{id}') ? [{ $ref: '#/components/parameters/Id' }] : []),
        { $ref: '#/components/parameters/RequestId' },
      ],
    });
    const { operation } = route;
    item[route.method.toLowerCase()] = describe(route, operation, responses.of(route));
    if (route.method === 'GET') {
      const head = {
        ...operation,
        id: `${operation.id}Headers`,
        summary: `${operation.summary}: headers only`,
        description: 'As GET, without a body.',
      };
      item.head = describe(route, head, responses.ofHead(route));
    }
  }
  const errors = responses.named(routes);
  const references = JSON.stringify([paths, errors]);
  const usedTags = new Set(routes.map(({ operation }) => operation.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'shelflist',
      version,
      description,
      contact: { name: author },
      license: { name: license, identifier: license },
    },
    tags: Object.entries(tags)
      .filter(([name]) => usedTags.has(name as TagName))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      parameters,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => references.includes(`"#/components/headers/${name}"`)),
      ),
      responses: errors,
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The token alone, with no scheme before it.',
        },
      },
    },
  };
}

function describe(route: Route, operation: Operation, responses: Schema): Schema {
  const { id, tag, summary, description, parameters, body } = operation;
  const content =
    body &&
    Object.fromEntries(Object.entries(body).map(([contentType, schema]) => [contentType, { schema }]));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: route.public === true ? [] : [{ token: [] }],
    ...(parameters && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses,
  };
}
