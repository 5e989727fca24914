import type { JSX } from 'preact';
import type { Paging } from '../../api/queries.ts';
import { type Part, useParts, useStore } from '../state/hooks.ts';
import { changed } from '../state/live.ts';
import { texts } from '../texts/current.ts';
import { showFailure } from './actions.ts';
import { Button, type IconName } from './controls.tsx';
import { Failure, Notice } from './messages.tsx';

interface PartsProps<Item> {
  readonly texts: Readonly<Record<'title' | 'failed' | 'empty' | 'emptyHint', string>>;
  readonly icon: IconName;
  /** The items of one request. */
  readonly limit: number;
  readonly read: (page: Paging, signal?: AbortSignal) => Promise<Part<Item>>;
  /** The rows of all items. @param again Reads the list again. */
  readonly rows: (items: readonly Item[], again: () => void) => JSX.Element[];
}

/** A view of a list that is read part by part, and again, as far as it is shown, when the catalogue changes. */
export function PartsView<Item>({ texts: own, icon, limit, read, rows }: PartsProps<Item>): JSX.Element {
  const { items, more, error, again } = useParts(String(useStore(changed)), limit, read);
  return (
    <div class="view">
      <h1>{own.title}</h1>
      {error !== undefined && <Failure title={own.failed} error={error} onRetry={again} />}
      {items?.length === 0 && error === undefined && (
        <Notice icon={icon} title={own.empty}>
          <p>{own.emptyHint}</p>
        </Notice>
      )}
      {items !== undefined && items.length > 0 && <ul class="rows">{rows(items, again)}</ul>}
      {more !== undefined && <Button onClick={() => void more().catch(showFailure)}>{texts.more}</Button>}
    </div>
  );
}
