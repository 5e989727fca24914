/** A value that views follow. */
export interface Store<Value> {
  readonly value: Value;
  set(value: Value): void;
  /** Calls a function after each change; returns a function that ends this. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(value: Value): Store<Value> {
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
