/**
 * Describes the HTTP API in Markdown, from its OpenAPI document: a page for each tag, one for the schemas, and an index.
 *
 * HEAD and OPTIONS are left out, because each path has them.
 *
 * @param document What `GET /openapi.json` answers.
 * @returns The text of each page, by its file name.
 */
export function createHttpPages(document) {
  const methods = ['get', 'post', 'put', 'delete'];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({ path, method: method.toUpperCase(), shared: item.parameters, ...item[method] })),
  );
  const tags = document.tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ tags: [name] }) => name === tag.name) }))
    .filter((tag) => tag.operations.length > 0);
  const pages = tags.map((tag) => [`${tag.name}.md`, describeTag(document, tag)]);
  return new Map([
    ['index.md', describeDocument(document, tags)],
    ...pages,
    ['schemas.md', describeSchemas(document)],
  ]);
}

function describeDocument({ info }, tags) {
  const rows = tags.flatMap((tag) =>
    tag.operations.map(({ method, path, summary, operationId }) => [
      code(`${method} ${path}`),
      `[${summary}](${tag.name}.md#${anchor(operationId)})`,
    ]),
  );
  return paragraphs(
    '# HTTP API: reference',
    `Version ${info.version}. A service answers \`GET /openapi.json\` with the document that these pages are made from. ` +
      '[HTTP API](../../docs/http-api.md) explains the ideas.',
    info.description.replace(/`(\w+)` and `(\w+)` in the components\.$/, '`$1` and `$2` in the document.'),
    table(['request', 'what it does'], rows),
    'Each path answers `OPTIONS`, too, and `HEAD` where it answers `GET`.',
  );
}

function describeTag(document, { name, description, operations }) {
  const title = name[0].toUpperCase() + name.slice(1);
  return paragraphs(
    `# HTTP API: ${title}`,
    description,
    ...operations.map((operation) => describeOperation(document, operation)),
  );
}

/** Where parameters are, in the order in which readers look for them. */
const places = ['path', 'query', 'header'];

function describeOperation(document, operation) {
  const { method, path, summary, description, operationId, requestBody } = operation;
  const parameters = [...operation.shared, ...(operation.parameters ?? [])]
    .map((each) => resolve(document, each))
    .sort((one, other) => places.indexOf(one.in) - places.indexOf(other.in));
  return paragraphs(
    `## ${summary} {#${anchor(operationId)}}`,
    fence(`${method} ${path}`),
    description,
    `**Token**: ${tokenOf(operation)}`,
    '**Parameters**',
    table(
      ['name', 'in', 'type', 'meaning'],
      parameters.map(({ name, in: place, required, schema, description: meaning }) => [
        code(name),
        place + (required === true ? ', required' : ''),
        typeOf(schema),
        withDetails(meaning, schema),
      ]),
    ),
    ...(requestBody
      ? [`**Body**${requestBody.required ? '' : ' (optional)'}`, contentTable(requestBody.content)]
      : []),
    '**Responses**',
    table(
      ['status', 'data or body', 'meaning'],
      Object.entries(operation.responses).map(([status, response]) =>
        describeResponse(status, resolve(document, response)),
      ),
    ),
  );
}

/** An empty object among the alternatives means that a request needs no token. */
function tokenOf({ security }) {
  if (security.length === 0) return 'not needed';
  return security.some((each) => Object.keys(each).length === 0) ? 'optional' : 'required';
}

/** The headers that almost each response has. The page of no operation repeats them. */
const usualHeaders = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options', 'Vary'];

function describeResponse(status, { description, content = {}, headers = {} }) {
  const isError = Number(status) >= 400;
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? dataOf(schema) : code(type),
  );
  const messages = isError ? messagesOf(content['application/json']?.schema) : [];
  const own = Object.keys(headers).filter((name) => !usualHeaders.includes(name));
  return [
    code(status),
    isError ? messages.map(code).join(', ') : bodies.join(' or ') || 'no body',
    description + (own.length > 0 ? ` Headers: ${own.map(code).join(', ')}.` : ''),
  ];
}

/** The part of a schema that adds to the envelope. */
const memberOf = (schema, name) => schema?.allOf?.find(({ properties }) => properties)?.properties[name];

/** The type of `data` in an envelope; of another schema, its own type. */
function dataOf(schema) {
  const data = memberOf(schema, 'data');
  return typeOf(data ?? schema);
}

function messagesOf(schema) {
  const { const: only, enum: several = [] } = memberOf(schema, 'message') ?? {};
  return only === undefined ? several : [only];
}

function contentTable(content) {
  return table(
    ['content type', 'type', 'meaning'],
    Object.entries(content).map(([type, { schema }]) => [
      code(type),
      typeOf(schema),
      withDetails('', schema),
    ]),
  );
}

function describeSchemas({ components }) {
  return paragraphs(
    '# HTTP API: schemas',
    'The types of bodies. `Envelope` is around the data of almost all responses.',
    ...Object.entries(components.schemas).map(([name, schema]) =>
      paragraphs(
        `## ${name} {#${name.toLowerCase()}}`,
        schema.description ?? '',
        schema.properties ? describeProperties(schema) : `**Type**: ${typeOf(schema)}`,
        ...(schema.examples ?? []).map((example) => fence(JSON.stringify(example, null, 2), 'json')),
      ),
    ),
  );
}

function describeProperties({ properties, required = [] }) {
  return table(
    ['member', 'type', 'meaning'],
    Object.entries(properties).map(([name, schema]) => [
      code(name) + (required.includes(name) ? '' : ', optional'),
      typeOf(schema),
      withDetails(schema.description ?? '', schema),
    ]),
  );
}

/** A schema in a few words; named schemas are links. */
function typeOf(schema) {
  const { $ref, type, items, anyOf, oneOf, const: only, enum: several, properties } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](schemas.md#${nameOf($ref).toLowerCase()})`;
  if (only !== undefined) return code(JSON.stringify(only));
  if (several !== undefined) return several.map((each) => code(String(each))).join(', ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (anyOf ?? oneOf) return (anyOf ?? oneOf).map(typeOf).join(' or ');
  if (properties !== undefined)
    return `object: ${Object.entries(properties)
      .map(([name, each]) => `${code(name)} (${typeOf(each)})`)
      .join(', ')}`;
  return [type].flat().join(' or ');
}

/** A description, and what the schema limits. */
function withDetails(description, schema) {
  const { minimum, maximum, maxItems, minItems, minLength, pattern, format, default: value } = schema;
  const isSafe = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const details = [
    ...(isSafe(minimum) ? [`at least ${minimum}`] : []),
    ...(isSafe(maximum) ? [`at most ${maximum}`] : []),
    ...(minItems === undefined ? [] : [`at least ${minItems} elements`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} elements`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
    ...(format === undefined ? [] : [`format ${code(format)}`]),
    ...(value === undefined ? [] : [`default ${code(JSON.stringify(value))}`]),
  ];
  const text = [description || (schema.description ?? ''), details.join(', ')].filter(Boolean);
  return text.length < 2 ? text.join('') : `${text[0]} (${text[1]})`;
}

const nameOf = ($ref) => $ref.slice($ref.lastIndexOf('/') + 1);
const resolve = (document, { $ref, ...rest }) =>
  $ref === undefined
    ? rest
    : $ref
        .slice(2)
        .split('/')
        .reduce((value, key) => value[key], document);

/** VitePress makes anchors of lower case. */
const anchor = (operationId) => operationId.toLowerCase();
const code = (text) => `\`${text}\``;
const fence = (text, language = 'http') => `\`\`\`${language}\n${text}\n\`\`\``;
const cell = (text) => text.replaceAll('\n', ' ').replaceAll('|', '\\|');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (heads, rows) => [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
const paragraphs = (...parts) =>
  `${parts
    .filter(Boolean)
    .map((part) => part.trimEnd())
    .join('\n\n')}\n`;
