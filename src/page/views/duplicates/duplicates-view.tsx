import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { duplicateLevels, type DuplicateLevel } from '../../../catalogue/duplicates.ts';
import { navigate, route } from '../../state/navigation.ts';
import { client } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Failure, Notice } from '../../ui/notice.tsx';
import { useAnswer } from '../../hooks/use-answer.ts';
import { useStore } from '../../hooks/use-store.ts';
import { GroupList, limit } from './group-list.tsx';

const { duplicates } = texts;

/** Groups of books that are alike, to keep one of each. */
export function DuplicatesView(): JSX.Element {
  const { level = 'same' } = useStore(route);
  const { value, error, again } = useAnswer(level, async (signal) => ({
    level,
    first: await client.duplicates({ level, limit }, { signal }),
  }));
  return (
    <div class="view">
      <h1>{duplicates.title}</h1>
      <p class="hint">{duplicates.intro}</p>
      <Levels level={level} />
      {error !== undefined && <Failure title={duplicates.failed} error={error} onRetry={again} />}
      {error === undefined && value === undefined && <p class="loading">{texts.loading}</p>}
      {error === undefined && value?.first.groups.length === 0 && (
        <Notice icon="check" title={duplicates.empty}>
          <p>{duplicates.emptyHint}</p>
        </Notice>
      )}
      {error === undefined && value !== undefined && value.first.groups.length > 0 && (
        <GroupList key={value.level} level={value.level} first={value.first} />
      )}
    </div>
  );
}

function Levels({ level }: { level: DuplicateLevel }): JSX.Element {
  const id = useId();
  return (
    <fieldset class="choice across">
      <legend>{duplicates.level}</legend>
      {duplicateLevels.map((each) => {
        const [name, hint] = duplicates.levels[each];
        return (
          <label key={each} class="choice-line">
            <input
              type="radio"
              name={id}
              checked={each === level}
              onChange={() => {
                navigate({ ...route.value, level: each });
              }}
            />
            <span>
              {name}
              <span class="hint">{hint}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
