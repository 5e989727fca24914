import { render } from 'preact';
import { keepRenewing } from './state/service.ts';
import { App } from './app.tsx';
import { texts } from './texts/current.ts';
import './page.css';

document.documentElement.lang = texts.language;
keepRenewing();
const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren(); // What the service rendered for readers without scripts.
  render(<App />, place);
}
