/** The ids of batches, as a pattern of JSON Schema. */
export const batchPattern = '^[A-Za-z0-9_-]{8,64}$';

/** Whether a value is the id of a batch: 8 to 64 of `A-Z a-z 0-9 _ -`. */
export function isBatchId(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(batchPattern).test(value);
}

/** A new id for a batch. It begins with a letter or digit: a shell command takes it as an argument. */
export function newBatchId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
