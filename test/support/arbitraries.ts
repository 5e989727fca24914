import fc from 'fast-check';
import { fieldNames, fields, mapFields } from '../../src/catalogue/fields.ts';
import type { BookFields, BookPatch } from '../../src/index.ts';
import type { Schema } from './document.ts';

/** What the fields of each type may contain. */
interface Values {
  text: fc.Arbitrary<string>;
  integer: fc.Arbitrary<number>;
}

const membersOf = (values: Values) =>
  mapFields(fieldNames, (name): fc.Arbitrary<string | number> => values[fields[name].type]);

/** Books with every field. */
export function anyBook(values: Values): fc.Arbitrary<BookFields> {
  return fc.record(membersOf(values)) as fc.Arbitrary<BookFields>;
}

/** Changes of any of the fields. */
export function anyPatch(values: Values): fc.Arbitrary<BookPatch> {
  return fc.record(membersOf(values), { requiredKeys: [] }) as fc.Arbitrary<BookPatch>;
}

/** Values that fit a schema, as far as the document's own schemas go; objects have unknown members too. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const {
    const: only,
    enum: several,
    anyOf,
    type,
  } = schema as {
    const?: unknown;
    enum?: unknown[];
    anyOf?: Schema[];
    type?: string;
  };
  if (only !== undefined) return fc.constant(only);
  if (several !== undefined) return fc.constantFrom(...several);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(fitting));
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting((schema.items ?? {}) as Schema), { maxLength: 4 });
    case 'object':
      return object(schema);
    default:
      return fc.jsonValue();
  }
}

function text({ pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern as string));
  return fc.string({
    unit: 'binary',
    minLength: (minLength ?? 0) as number,
    maxLength: (maxLength ?? 20) as number,
  });
}

function integer(schema: Schema): fc.Arbitrary<number> {
  const { minimum: min = Number.MIN_SAFE_INTEGER, maximum: max = Number.MAX_SAFE_INTEGER } = schema as {
    minimum?: number;
    maximum?: number;
  };
  const near = { min: Math.max(min, -10), max: Math.min(max, 10) };
  return fc.oneof(fc.integer({ min, max }), fc.integer(near), fc.constantFrom(min, max));
}

function object(schema: Schema): fc.Arbitrary<object> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const members = Object.entries(properties).map(([name, each]) => [name, fitting(each)] as const);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: required });
  const unknown = fc.dictionary(
    fc.string().filter((name) => !(name in properties)),
    fc.jsonValue(),
    { maxKeys: 2 },
  );
  return fc.tuple(unknown, known).map(([more, fields]) => ({ ...more, ...fields }));
}
