import fc from 'fast-check';
import { fieldNames, fields, textFields } from '../../src/catalogue/fields.ts';

/** What a body is sent as. */
export const kinds = ['create', 'update', 'token', 'array', 'lines'] as const;

export interface BodyCase {
  kind: (typeof kinds)[number];
  body: Buffer;
}

/** Numbers as they may be written, and some that may not. */
const numbers = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.integer({ min: -3000, max: 3000 }).map(String),
  fc.double().map(String),
  fc.constantFrom(
    ...['1e400', '-1e400', '-0', '1.0', '1.5', '1e3', '1E+3', '1500e-2', '15e-1', '01', '+1', '.5', '1.', '0x1'],
    ...['9007199254740991', '9007199254740992', '-9007199254740992', '1e309', '123456789012345678901', '- 1'],
  ),
); // prettier-ignore

const strings = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    ...['"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\x41"', '"\\u12"', '"a\nb"', "'a'"],
    ...['"$where"', '"$title"', '"__proto__"', '"a.b"', '"\u2028\ufeff\ufffe"', '"\\u0000a\\uffff"', '"unended'],
  ),
); // prettier-ignore

/** Questions of MongoDB, and what JavaScript might take for the prototype of all objects. */
const traps = fc.constantFrom(
  ...['{"$gt":""}', '{"$ne":null}', '{"$where":"sleep(9)"}', '{"$set":{"year":1}}', '[{"$gt":""}]', '{"$oid":"0"}'],
  ...['{"$numberInt":"1"}', '{"$function":{"body":"0"}}', '{"__proto__":{"title":"polluted"}}', '{"length":1}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '{"toString":"x"}', '{"_bsontype":"Code","code":"0"}'],
); // prettier-ignore

const values = fc.oneof(numbers, strings, traps, fc.constantFrom('true', 'null', '[]', '{}', ''), fc.json());

const integers = fieldNames.filter((name) => fields[name].type === 'integer');
const rightMember = fc.oneof(
  fc.tuple(fc.constantFrom(...textFields, 'username', 'password'), strings),
  fc.tuple(fc.constantFrom(...integers), numbers),
);
const oddName = fc.constantFrom(
  ...fieldNames,
  ...['id', '_id', 'indexed', 'username', 'password', '__proto__', 'constructor'],
  ...['prototype', '$where', '$set', 'title.x', 'year.$inc', 'toString', 'hasOwnProperty', 'Title', '', '\0'],
);
const space = fc.oneof(
  { arbitrary: fc.constant(''), weight: 20 },
  fc.constantFrom(' ', '\r\n\t', '\u00a0', '\ufeff', '\v'),
);

/** An object with the members of a book or a login, most of them valid; names may be repeated. */
const nearObject = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: rightMember, weight: 6 }, fc.tuple(oddName, values)), { maxLength: 5 }),
    space,
  )
  .map(([members, blank]) => {
    const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${blank}${value}`);
    return `{${texts.join(',')}}${blank}`;
  });

const piece = fc.oneof({ arbitrary: nearObject, weight: 5 }, values);

const text = fc.oneof(
  { arbitrary: piece, weight: 8 },
  fc.tuple(piece, fc.nat(), fc.string({ maxLength: 2 })).map(([whole, at, other]) => {
    const place = at % (whole.length + 1);
    return whole.slice(0, place) + other + whole.slice(place + 1);
  }),
  fc.string({ unit: 'binary' }),
);

const bytes = fc.oneof(
  { arbitrary: text.map((each) => Buffer.from(each)), weight: 8 },
  fc.uint8Array().map((each) => Buffer.from(each)),
  // Invalid UTF-8 in place of a title.
  fc
    .uint8Array({ maxLength: 6 })
    .map((each) => Buffer.concat([Buffer.from('{"title":"'), each, Buffer.from('"}')])),
);

const several = (separator: string, start: string, end: string) =>
  fc.tuple(fc.array(piece, { maxLength: 5 }), space).map(([pieces, blank]) => {
    return Buffer.from(start + blank + pieces.join(blank + separator) + end);
  });

/** Any body of any request that has one. */
export const bodyCase: fc.Arbitrary<BodyCase> = fc.constantFrom(...kinds).chain((kind) => {
  const fit = { array: several(',', '[', ']'), lines: several('\n', '', '\n') } as const;
  const body = kind in fit ? fc.oneof({ arbitrary: fit[kind as keyof typeof fit], weight: 3 }, bytes) : bytes;
  return body.map((each) => ({ kind, body: each }));
});
