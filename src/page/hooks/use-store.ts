import { useEffect, useState } from 'preact/hooks';
import { accessOf, session } from '../state/service.ts';
import type { Store } from '../state/store.ts';

/** The value of a store, as state of a component. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, setValue] = useState(store.value);
  useEffect(() => {
    const update = () => {
      setValue(() => store.value);
    };
    update(); // It may have changed between the render and this effect.
    return store.subscribe(update);
  }, [store]);
  return store.value;
}

/** What the reader may do, as state of a component. */
export function useAccess(): ReturnType<typeof accessOf> {
  return accessOf(useStore(session));
}
