import type { JSX } from 'preact';
import { closeDialog } from '../../state/open-dialog.ts';
import { texts } from '../../texts/current.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** The keys that the page knows. */
export function HelpDialog(): JSX.Element {
  return (
    <Dialog title={texts.help.title} onClose={closeDialog}>
      <dl class="keys">
        {texts.help.keys.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
