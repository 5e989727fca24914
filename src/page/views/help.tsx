import type { JSX } from 'preact';
import { laterTexts } from '../../texts/later-texts.ts';
import { closeDialog } from '../state/navigation.ts';
import { isThisMachine } from '../state/service.ts';
import { language } from '../texts/current.ts';
import { Dialog } from '../ui/dialog.tsx';

/** The keyboard shortcuts. On the machine of the service, also the place of the books, and what to do with their folder. */
export function HelpDialog(): JSX.Element {
  const { title, keys, computer } = laterTexts[language].help;
  return (
    <Dialog title={title} onClose={closeDialog}>
      <dl class="keys">
        {keys.map(([names, effect]) => (
          <div key={names}>
            <dt>
              <kbd>{names}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      {isThisMachine && (
        <>
          <h3>{computer.title}</h3>
          <dl class="keys">
            {computer.rows.map(([task, text]) => (
              <div key={task}>
                <dt>{task}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Dialog>
  );
}
