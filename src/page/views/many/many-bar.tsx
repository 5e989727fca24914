import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { clearSelection, countSelected, selection } from '../../state/selection.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../hooks/use-store.ts';
import { ChangeManyDialog } from './change-many-dialog.tsx';
import { DeleteManyDialog } from './delete-many-dialog.tsx';

/** What can be done with the selected books. */
export function ManyBar({ total }: { total: number }): JSX.Element | null {
  const chosen = useStore(selection);
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const count = countSelected(chosen, total);
  const close = () => {
    setDialog(undefined);
  };
  if (count === 0) return null;
  return (
    <div class="many" role="group" aria-label={texts.many.selected(count)}>
      <p class="count">{texts.many.selected(count)}</p>
      <Button look="quiet" icon="close" isCompact onClick={clearSelection}>
        {texts.many.clear}
      </Button>
      {chosen !== 'all' && total > count && (
        <Button
          look="quiet"
          onClick={() => {
            selection.set('all');
          }}
        >
          {texts.many.selectAll(total)}
        </Button>
      )}
      <Button
        icon="edit"
        isCompact
        onClick={() => {
          setDialog('change');
        }}
      >
        {texts.many.change}
      </Button>
      <Button
        icon="trash"
        look="danger"
        isCompact
        onClick={() => {
          setDialog('delete');
        }}
      >
        {texts.changing.delete}
      </Button>
      {dialog === 'change' && <ChangeManyDialog chosen={chosen} count={count} onClose={close} />}
      {dialog === 'delete' && <DeleteManyDialog chosen={chosen} count={count} onClose={close} />}
    </div>
  );
}
