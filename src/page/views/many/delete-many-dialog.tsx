import type { JSX } from 'preact';
import type { Selection } from '../../state/selection.ts';
import { client } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ManyProgress } from './progress.tsx';
import { useMany } from './use-many.ts';

interface Props {
  readonly chosen: Selection;
  readonly count: number;
  readonly onClose: () => void;
}

/** Asks before many books are deleted. */
export function DeleteManyDialog({ chosen, count, onClose }: Props): JSX.Element {
  const { progress, problem, run } = useMany(chosen, texts.changing.deleted, onClose);
  return (
    <Dialog title={texts.many.deleteTitle(count)} onClose={onClose}>
      <p>{texts.many.deleteHint}</p>
      <ManyProgress progress={progress} problem={problem} />
      <div class="buttons">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          icon="trash"
          aria-disabled={progress !== undefined}
          onClick={() => {
            if (progress === undefined) void run((id, batch) => client.delete(id, { batch }));
          }}
        >
          {texts.changing.delete}
        </Button>
      </div>
    </Dialog>
  );
}
