import { hasStarted, place } from './state/failed-start.ts'; // Evaluated first.
import { render } from 'preact';
import { applyLook } from './state/look.ts';
import { keepRenewing } from './state/service.ts';
import { App } from './app.tsx';
import { texts } from './texts/current.ts';
import './page.css';

document.documentElement.lang = texts.language;
applyLook();
keepRenewing();
if (place !== null) {
  place.replaceChildren(); // What the service rendered for readers without scripts.
  render(<App />, place);
}
hasStarted();
