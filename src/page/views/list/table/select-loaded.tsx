import type { JSX } from 'preact';
import { list } from '../../../state/list/window-of-page.ts';
import { clearSelection, nothingSelected, selection } from '../../../state/selection.ts';
import { texts } from '../../../texts/current.ts';
import { useStore } from '../../../hooks/use-store.ts';

/** Selects the books that are loaded, or none. */
export function SelectLoaded(): JSX.Element {
  const current = useStore(selection);
  const loaded = list.state.value.pages.flatMap(({ books }) => books ?? []);
  const isAny = current === 'all' || current.ids.size > 0;
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={texts.many.selectShown}
        checked={isAny}
        indeterminate={current !== 'all' && isAny && current.ids.size < loaded.length}
        onChange={() => {
          if (isAny) clearSelection();
          else {
            selection.set(
              loaded.length === 0 ? nothingSelected : { ids: new Set(loaded.map(({ id }) => id)) },
            );
          }
        }}
      />
    </label>
  );
}
