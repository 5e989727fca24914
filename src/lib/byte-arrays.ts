/** Joins parts into one array of bytes. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** More arguments of a call could exceed the stack. */
const maxArguments = 8192;

/** Characters with these codes: of bytes, those of ISO 8859-1, which a `TextDecoder` takes for Windows-1252. */
export function textOfCodes(codes: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += maxArguments)
    parts.push(String.fromCharCode(...codes.subarray(at, at + maxArguments)));
  return parts.join('');
}
