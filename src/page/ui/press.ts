/** Whether the main button of the mouse is down. On a touch screen, a tap presses and releases it at once. */
let isDown = false;
let waiting: (() => void)[] = [];

addEventListener('mousedown', ({ button }) => (isDown ||= button === 0), { capture: true });
for (const end of ['mouseup', 'dragend'])
  addEventListener(
    end,
    () => {
      isDown = false;
      setTimeout(() => {
        const works = waiting;
        waiting = [];
        for (const work of works) work();
      }); // The click comes first.
    },
    { capture: true },
  );

/**
 * Runs work that may move elements of the page: at once, or after a click in progress. A target that moves between the press
 * and the release of a button gets no click.
 */
export function afterPress(work: () => void): void {
  if (isDown) waiting.push(work);
  else work();
}
