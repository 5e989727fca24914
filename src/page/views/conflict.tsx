import type { JSX } from 'preact';
import { fieldNames } from '../../catalogue/fields.ts';
import {
  editing,
  type Editing,
  editTheirs,
  mergedFields,
  saveOverTheirs,
  stopEditing,
} from '../state/editing.ts';
import { useStore } from '../state/hooks.ts';
import { list } from '../state/live.ts';
import { texts } from '../texts/current.ts';
import { showSaved } from '../ui/actions.ts';
import { Button, FieldText } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Shows what somebody else has saved beside what was typed, and asks what to keep. */
export function ConflictDialog(): JSX.Element | null {
  const now = useStore(editing);
  if (now?.theirs === undefined) return null;
  return <Conflict now={now} theirs={now.theirs} />;
}

function Conflict({ now, theirs }: { now: Editing; theirs: Editing['base'] }): JSX.Element {
  const mine = mergedFields(now) ?? now.base.book;
  const { title, intro, mine: mineTitle, theirs: theirsTitle, keepTheirs, saveMine, goOn } = texts.conflict;
  const keep = () => {
    list.change(theirs.book.id, () => theirs.book);
    stopEditing();
  };
  return (
    <Dialog title={title} onClose={editTheirs} look="wide">
      <p>{intro}</p>
      <table class="compare">
        <thead>
          <tr>
            <td />
            <th scope="col">{mineTitle}</th>
            <th scope="col">{theirsTitle}</th>
          </tr>
        </thead>
        <tbody>
          {fieldNames.map((name) => (
            <tr key={name} class={mine[name] === theirs.book[name] ? 'same' : 'differs'}>
              <th scope="row">{texts.fields[name]}</th>
              <td>
                <FieldText name={name} book={mine} />
              </td>
              <td>
                <FieldText name={name} book={theirs.book} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="buttons">
        <Button onClick={editTheirs}>{goOn}</Button>
        <Button onClick={keep}>{keepTheirs}</Button>
        <Button
          look="primary"
          onClick={() => {
            showSaved(saveOverTheirs());
          }}
        >
          {saveMine}
        </Button>
      </div>
    </Dialog>
  );
}
