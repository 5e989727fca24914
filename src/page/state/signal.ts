import { storageKey } from '../texts/choice.ts';

/** A value that views follow. */
export interface Signal<Value> {
  readonly value: Value;
  set(value: Value): void;
  /** Calls a function after each change; returns a function that ends this. */
  subscribe(listener: () => void): () => void;
}

export function createSignal<Value>(value: Value): Signal<Value> {
  const listeners = new Set<() => void>();
  let current = value;
  return {
    get value() {
      return current;
    },
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Where a value is kept: for a reload of this tab, or for all tabs and starts of this browser. */
type Storage = 'sessionStorage' | 'localStorage';

/** Reads a value; `undefined` if it is missing, damaged, or storage is blocked. */
export function readJson(key: string, storage: Storage = 'sessionStorage'): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(storageKey(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value; `undefined` removes it. Does nothing if storage is full or blocked. */
export function writeJson(key: string, value: unknown, storage: Storage = 'sessionStorage'): void {
  try {
    if (value === undefined) globalThis[storage].removeItem(storageKey(key));
    else globalThis[storage].setItem(storageKey(key), JSON.stringify(value));
  } catch {
    // The page works without it; only a reload or the next start loses more.
  }
}

/** The members of a stored value; none if it is not an object. An older version or another program may have written it. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Record<string, unknown>;
}

/** Whether a value that was read can be sent in a header. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[ -~]+$/.test(value);
}

const key = (name: string) => `draft:${name}`;

/** The draft of a form, which survives a reload; `undefined` if there is none. */
export function readDraft(name: string): unknown {
  return readJson(key(name));
}

export function writeDraft(name: string, value: unknown): void {
  writeJson(key(name), value);
}
