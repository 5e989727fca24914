// The arguments of tools: a shape gives their JSON Schema, and what is wrong with a value.
import type { Schema, Shape } from '../../../api/shapes.ts';

/** A shape whose schema says what the value means. */
export function described<Value>(shape: Shape<Value>, description: string): Shape<Value> {
  return { ...shape, schema: { ...shape.schema, description } };
}

/** The JSON Schema of a shape. It allows no other members: one that is ignored could select or change other books. */
export function inputSchema({ schema, items, members, optional }: Shape): Schema {
  if (items !== undefined) return { ...schema, items: inputSchema(items) };
  if (members === undefined) return schema;
  const required = Object.keys(members);
  const properties = Object.entries({ ...members, ...optional }).map(([name, member]) => [
    name,
    inputSchema(member),
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(properties) as Schema,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Says what is wrong with a value, at the first place; `undefined` if it has the shape. */
export function problemOf(value: unknown, shape: Shape, path: string): string | undefined {
  if (shape.items !== undefined) return problemOfList(value, shape.items, shape.schema, path);
  if (shape.members !== undefined) return problemOfObject(value, shape, path);
  return shape.parse(value) === undefined ? `${path}: expected ${expected(shape.schema)}` : undefined;
}

function problemOfList(
  value: unknown,
  items: Shape,
  { minItems = 0, maxItems = Infinity }: Schema,
  path: string,
): string | undefined {
  if (!Array.isArray(value)) return `${path}: expected a list`;
  if (value.length < Number(minItems) || value.length > Number(maxItems))
    return `${path}: expected ${String(minItems)} to ${String(maxItems)} elements, and it has ${value.length}`;
  for (const [i, item] of value.entries()) {
    const problem = problemOf(item, items, `${path}[${i}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfObject(
  value: unknown,
  { members = {}, optional = {} }: Shape,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${path}: expected an object`;
  const all: Readonly<Record<string, Shape>> = { ...members, ...optional };
  const missing = Object.keys(members).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  for (const [name, member] of Object.entries(value)) {
    const shape = Object.hasOwn(all, name) ? all[name] : undefined;
    if (shape === undefined)
      return `${path} has an unknown member ${JSON.stringify(name.slice(0, 40))}; expected some of ${Object.keys(all).join(', ')}`;
    const problem = problemOf(member, shape, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function expected({ type, enum: values, minimum, maximum, pattern }: Schema): string {
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (type === 'integer') return `a whole number from ${String(minimum)} to ${String(maximum)}`;
  if (type === 'boolean') return 'true or false';
  return typeof pattern === 'string' ? `text that matches ${pattern}` : 'text';
}
