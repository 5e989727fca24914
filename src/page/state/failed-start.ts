/** The place of the page, which has what the service rendered until the page is rendered. */
export const place = document.getElementById('app');

/** Says that the page cannot start, whatever the exception: before its texts exist, and before it is rendered. */
function showFailure(): void {
  if (place === null) return;
  const text = document.createElement('p');
  text.textContent = place.dataset.failed ?? '';
  place.replaceChildren(text);
}

addEventListener('error', showFailure);

/** Ends this: from now on, an exception is one of a view. */
export function hasStarted(): void {
  removeEventListener('error', showFailure);
}
