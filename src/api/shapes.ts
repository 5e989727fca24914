// Shapes of JSON values: each is a type, a check and a JSON Schema at once.

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a JSON value must be. */
export interface Shape<Value = unknown> {
  /**
   * The value, if it has this shape; otherwise `undefined`. Objects are without other members, which a newer service may send.
   */
  readonly parse: (value: unknown) => Value | undefined;
  /** The schema, without those of {@link items} and {@link members}. */
  readonly schema: Schema;
  /** The shape of each element of a list. */
  readonly items?: Shape;
  /** The shapes of the members of an object. */
  readonly members?: Shapes;
  /** The members that may be missing. */
  readonly optional?: Shapes | undefined;
  /** The shape that may be `null` instead. */
  readonly orNull?: Shape;
}

export type Shapes = Readonly<Record<string, Shape>>;

/** The type of the values of a shape. */
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

type ObjectOf<S extends Shapes> = { -readonly [Name in keyof S]: ValueOf<S[Name]> };
type PartialOf<S extends Shapes> = { -readonly [Name in keyof S]?: ValueOf<S[Name]> };

/* @__NO_SIDE_EFFECTS__ */
function scalar<Value>(schema: Schema, is: (value: unknown) => boolean): Shape<Value> {
  return { schema, parse: (value) => (is(value) ? (value as Value) : undefined) };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A string: any, or one that matches a pattern. */
/* @__NO_SIDE_EFFECTS__ */
export function text(limits: { pattern?: string } = {}): Shape<string> {
  const pattern = new RegExp(limits.pattern ?? '');
  return scalar({ type: 'string', ...limits }, (value) => isText(value) && pattern.test(value));
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Value extends string>(values: readonly Value[]): Shape<Value> {
  return scalar({ type: 'string', enum: values }, (value) => values.includes(value as Value));
}

/** A time in ISO 8601. */
/* @__NO_SIDE_EFFECTS__ */
export function time(): Shape<Date> {
  return {
    schema: { type: 'string', format: 'date-time' },
    parse(value) {
      const date = new Date(isText(value) ? value : NaN);
      return Number.isNaN(date.getTime()) ? undefined : date;
    },
  };
}

/** An integer that JSON carries exactly. */
/* @__NO_SIDE_EFFECTS__ */
export function integer(limits: { minimum?: number; maximum?: number } = {}): Shape<number> {
  const { minimum = -Infinity, maximum = Infinity } = limits;
  return scalar(
    { type: 'integer', ...limits },
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

/* @__NO_SIDE_EFFECTS__ */
export function flag(): Shape<boolean> {
  return scalar({ type: 'boolean' }, (value) => typeof value === 'boolean');
}

/** What has no result: `null`. */
export const nothing: Shape<null> = /* @__PURE__ */ scalar({ const: null }, (value) => value === null);

/* @__NO_SIDE_EFFECTS__ */
export function list<Value>(
  items: Shape<Value>,
  limits: { maxItems?: number; minItems?: number } = {},
): Shape<Value[]> {
  return {
    schema: { type: 'array', ...limits },
    items,
    parse(value) {
      const all = Array.isArray(value) ? value.map(items.parse) : [undefined];
      return all.includes(undefined) ? undefined : (all as Value[]);
    },
  };
}

/** An object with these members, and perhaps some optional ones. */
/* @__NO_SIDE_EFFECTS__ */
export function object<M extends Shapes>(members: M): Shape<ObjectOf<M>>;
export function object<M extends Shapes, O extends Shapes>(
  members: M,
  optional: O,
): Shape<ObjectOf<M> & PartialOf<O>>;
export function object(members: Shapes, optional?: Shapes): Shape {
  const entries = Object.entries<Shape>({ ...members, ...optional });
  return {
    schema: { type: 'object' },
    members,
    optional,
    parse(value) {
      const given = Object(value) as Record<string, unknown>;
      const parsed: Record<string, unknown> = {};
      for (const [name, member] of entries) {
        if (given[name] === undefined && !(name in members)) continue;
        parsed[name] = member.parse(given[name]);
        if (parsed[name] === undefined) return undefined;
      }
      return parsed;
    },
  };
}

/** An object whose members may all be missing. */
/* @__NO_SIDE_EFFECTS__ */
export function partial<O extends Shapes>(optional: O): Shape<PartialOf<O>> {
  return object({}, optional);
}

/* @__NO_SIDE_EFFECTS__ */
export function nullable<Value>(orNull: Shape<Value>): Shape<Value | null> {
  const { schema, parse } = orNull;
  return {
    schema: { ...schema, type: [schema.type, 'null'] },
    orNull,
    parse: (value) => (value === null ? null : parse(value)),
  };
}
