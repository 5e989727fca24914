import { author, license, version } from '../../../package.json';
import { batchPattern } from '../../catalogue/batch.ts';
import { headers, tags, type Endpoint, type Operation } from './operation.ts';
import { Responses, type DocumentOptions } from './responses.ts';
import { id } from '../../api/models.ts';
import type { Schema } from '../../api/shapes.ts';
import { schemaOf, schemas } from './schemas.ts';

const description = `A book catalogue: create, list, read, update and delete books.

Get a token with \`POST /token\`. Send it as the whole value of the \`Authorization\` header, without a scheme.

Every response, success or error, is an envelope: \`{"status", "message", "data"}\`. \`status\` is the HTTP status,
\`message\` is fixed text, and \`data\` is \`null\` for every error. Exceptions are this document, \`GET /metrics\`, \`GET /backup\`,
other formats that \`Accept\` chooses, and responses to HEAD.

The response to an unknown path is 404 \`Not found\`. The response to an unsupported method is 405 \`Method not
allowed\`; its \`Allow\` header lists the supported ones. See \`NotFound\` and \`MethodNotAllowed\` in the components.`;

const parameters = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a book in canonical decimal: `7`, not `07` or `7.0`. Any other value is a 404.',
    schema: schemaOf(id),
  },
  BatchId: {
    name: 'batch',
    in: 'path',
    required: true,
    description: 'The id of a batch: its `Batch` header, or `batch` in the result of an import.',
    schema: { type: 'string', pattern: batchPattern },
  },
  Asset: {
    name: 'asset',
    in: 'path',
    required: true,
    description: 'The name of a file, as the web page names it.',
    schema: { type: 'string', examples: ['app-0123456789abcdef.js'] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id for the request, repeated in the response and the log: 1 to 128 characters of ' +
      '`A-Z a-z 0-9 . _ ~ -`. The service replaces any other value.',
    schema: { type: 'string' },
  },
} as const;

const pathParameters = { '{id}': 'Id', '{batch}': 'BatchId', '{asset}': 'Asset' } as const;

/** Creates the OpenAPI 3.1 document of endpoints, without the address of the service. */
export function createDocument(endpoints: readonly Endpoint[], options: DocumentOptions): Schema {
  const responses = new Responses(options);
  const paths = describePaths(endpoints, responses, options.acceptBearer);
  const errors = responses.named(endpoints);
  const references = JSON.stringify([paths, errors]);
  const usedTags = new Set<string>(endpoints.map(({ operation }) => operation.tag));
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
      .filter(([name]) => usedTags.has(name))
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
          description: 'The token, without a scheme.',
        },
        ...(options.acceptBearer && { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }),
      },
    },
  };
}

function describePaths(endpoints: readonly Endpoint[], responses: Responses, acceptBearer: boolean): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const { method, path, operation } = endpoint;
    const inPath = Object.entries(pathParameters).flatMap(([name, key]) =>
      path.includes(name) ? [key] : [],
    );
    const item = (paths[path] ??= {
      parameters: [...inPath, 'RequestId'].map((key) => ({ $ref: `#/components/parameters/${key}` })),
    });
    item[method.toLowerCase()] = describe(endpoint, operation, responses.of(endpoint), acceptBearer);
  }
  return paths;
}

/** An empty object means that a request needs no token. */
function securityOf({ public: isPublic, isTokenOptional }: Endpoint, acceptBearer: boolean): object[] {
  if (isPublic === true) return [];
  return [
    ...(isTokenOptional === true ? [{}] : []),
    { token: [] },
    ...(acceptBearer ? [{ bearer: [] }] : []),
  ];
}

function describe(
  endpoint: Endpoint,
  operation: Operation,
  responses: Schema,
  acceptBearer: boolean,
): Schema {
  const { id, tag, summary, description, parameters, body, isBodyOptional = false } = operation;
  const content =
    body &&
    Object.fromEntries(Object.entries(body).map(([contentType, schema]) => [contentType, { schema }]));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(endpoint, acceptBearer),
    ...(parameters && { parameters }),
    ...(content && { requestBody: { required: !isBodyOptional, content } }),
    responses,
  };
}
