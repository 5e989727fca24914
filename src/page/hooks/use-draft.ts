import { useState } from 'preact/hooks';
import { readDraft, writeDraft } from '../state/drafts.ts';

/**
 * State of a component that survives a reload. The third member forgets it.
 *
 * @param isValid Whether a kept value is one: it may be old, or of another program.
 */
export function useDraft<Value>(
  name: string,
  initial: () => Value,
  isValid: (kept: unknown) => kept is Value,
): [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => {
    const kept = readDraft(name);
    return isValid(kept) ? kept : initial();
  });
  const update = (next: Value) => {
    setValue(() => next);
    writeDraft(name, next);
  };
  const forget = () => {
    writeDraft(name, undefined);
  };
  return [value, update, forget];
}
