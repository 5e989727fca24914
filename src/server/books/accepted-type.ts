/**
 * Chooses among media types by `Accept` (RFC 9110, section 12.5.1). Only a type that is named is chosen, and only if nothing
 * prefers JSON to it: a wildcard, and anything that is not available, means JSON.
 *
 * @param types In lower case, without parameters.
 * @returns `undefined` for JSON.
 */
export function acceptedType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  if (accept === undefined || !types.some((type) => accept.toLowerCase().includes(type))) return undefined;
  const ranges = new Map(accept.split(',').map(readRange));
  const json = ranges.get('application/json');
  const weightOfJson = json ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  let best: { type: Type; weight: number } | undefined;
  for (const type of types) {
    const weight = ranges.get(type) ?? 0;
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  if (best === undefined || best.weight < weightOfJson) return undefined;
  return best.weight === json ? undefined : best.type;
}

/** A media range without its parameters, and its weight. */
function readRange(text: string): [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [, weight = '1'] = parameters.map((each) => /^q=(.*)$/.exec(each)).find(Boolean) ?? [];
  return [range, Number(weight) || 0];
}
