import { bookOf } from './books.ts';
import { createRandom } from './random.ts';
import type { BookFields } from '../../src/index.ts';

const adjectives =
  'silent forgotten crimson wandering invisible broken golden midnight restless burning hollow distant savage crooked patient ' +
  'northern scarlet beautiful desperate enchanted fearless glittering haunted imperfect jealous luminous mysterious nameless ' +
  'obedient peculiar reluctant sleeping tangled unfinished velvet whispering yellow ancient bitter careless dangerous eternal';
const nouns =
  'river garden daughter winter kingdom shadow letter orchard lighthouse stranger mountain history thousand prisoner sparrow ' +
  'cathedral merchant rebellion carpenter butterfly chronicle inheritance labyrinth messenger nightingale ocean photograph ' +
  'quarrel reckoning sanctuary telegraph umbrella village watchmaker astronomer blacksmith conspiracy discovery elephant ' +
  'forgiveness governess harvest innocence journey kitchen laughter migration notebook obsession pilgrim question railway ' +
  'secretary tournament universe violinist wilderness apprentice beekeeper cartographer detective expedition fisherman';
const places =
  'venice prague lisbon istanbul cairo bombay shanghai kyoto vienna budapest edinburgh dublin havana manila nairobi alexandria ' +
  'babylon carthage damascus florence granada hamburg jerusalem krakow leningrad marseille naples odessa palermo rotterdam';
const firstNames =
  'anna benjamin charlotte daniel eleanor frederick gabriel harriet isabel jonathan katherine leonard margaret nathaniel ' +
  'octavia patricia raymond sebastian theodora ursula victor winifred alexander beatrice cornelius dorothea edmund florence';
const familyNames =
  'abernathy blackwood castellan donovan ellsworth fitzgerald goldstein hawthorne ingersoll jankowski kirkpatrick lindqvist ' +
  'montgomery nakamura ostrowski pemberton quintero rosenberg sutherland thackeray underhill vandermeer whitaker yamamoto ' +
  'zimmerman armstrong bergstrom carmichael delacroix eastwood ferguson grimaldi hutchinson ivanovich johansson kowalski';

/** Different books with titles of two to five words, such as _The Crooked Sparrow of Prague_. */
export function manyTitles(count: number): BookFields[] {
  const random = createRandom(7);
  const oneOf = (list: string) => {
    const words = list.split(' ');
    const word = words[random(words.length)] ?? '';
    return word.charAt(0).toUpperCase() + word.slice(1);
  };
  const titles = [
    () => `The ${oneOf(adjectives)} ${oneOf(nouns)} of ${oneOf(places)}`,
    () => `${oneOf(nouns)} and ${oneOf(nouns)}`,
    () => `A ${oneOf(nouns)} in ${oneOf(places)}`,
    () => `${oneOf(firstNames)} and the ${oneOf(adjectives)} ${oneOf(nouns)}`,
    () => `The ${oneOf(nouns)}’s ${oneOf(nouns)}`,
  ];
  const books = new Map<string, BookFields>();
  while (books.size < count) {
    const title = titles[random(titles.length)]?.() ?? '';
    const author = `${oneOf(firstNames)} ${oneOf(familyNames)}`;
    books.set(title, bookOf({ title, author, year: 1850 + random(170) }));
  }
  return [...books.values()];
}
