import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startSession } from '../../../support/session.ts';

const session = await startSession({ after });

/** Imports a file into an empty catalogue; gives the books, without their ids, and what it says of the columns. */
async function load(file: string | Uint8Array, options = '') {
  const ids = (await session.run('shelflist list')).stdout.match(/^\d+/gm) ?? [];
  if (ids.length > 0) await session.run(`shelflist delete --yes ${ids.join(' ')}`);
  await writeFile(join(session.folder, 'books.csv'), file);
  await rm(join(session.folder, 'left.csv'), { force: true });
  const { code, stderr } = await session.run(`shelflist import books.csv ${options}`);
  const { stdout } = await session.run('shelflist list --json');
  const books = JSON.parse(stdout) as { title: string; author: string; year: number }[];
  return { code, stderr, books: books.map(({ title, author, year }) => [title, author, year]) };
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

const goodreads =
  'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n';
const libraryThing = [
  ...['Book Id', 'Title', 'Sort Character', 'Primary Author', 'Primary Author Role', 'Secondary Author'],
  ...[
    'Secondary Author Roles',
    'Publication',
    'Date',
    'Review',
    'Rating',
    'Comment',
    'Private Comment',
    'Summary',
  ],
  ...['Media', 'Physical Description', 'Acquired', 'Date Started', 'Date Read', 'ISBN', 'Entry Date'],
].join('\t');
const libraryThingRows = `${libraryThing}\r\n${[
  ...[
    '5498194',
    'Marelle',
    '1',
    'Cortázar, Julio',
    '',
    '',
    '',
    'Gallimard (1979), Poche',
    '[1979]',
    "chef d'oeuvre",
  ],
  ...[
    '4.5',
    '',
    '',
    'Marelle by Julio Cortázar (1979)',
    'Broché',
    '590 p.',
    '',
    '[2007-04-16]',
    '',
    '[2070291340]',
    '',
  ],
].join('\t')}\r\n`;
const libraryThingBooks = [['Marelle', 'Cortázar, Julio', 1979]];
const hardcover =
  'Title,Author,Series,Status,Privacy,Hardcover Book ID,Hardcover Edition ID,ISBN 10,ISBN 13,ASIN,Media,Country Code,Language Code,Binding,Pages,Duration in Seconds,Publish Date,Publisher,Genres,Moods,Tags,Content Warnings,Lists,Date Added,Date Started,Date Finished,Rating,Review\n';

describe('the export of a program is read as it is', () => {
  const table: [program: string, file: string | Uint8Array, books: unknown[]][] = [
    [
      'Goodreads',
      `${goodreads}7235533,"The Way of Kings (The Stormlight Archive, #1)",Brandon Sanderson,"Sanderson, Brandon",Michael Kramer,="0765326353",="9780765326355",5,4.66,Tor,Hardcover,1007,2011,2010,2012/01/02,2011/12/25,,,read,,,,1,0\n52691223,Subcutanean,Aaron A. Reed,"Reed, Aaron A.",,="",="",0,4.45,,Paperback,232,2020,,2020/03/06,2020/03/05,,,read,,,,1,0\n`,
      [
        ['The Way of Kings (The Stormlight Archive, #1)', 'Brandon Sanderson', 2010],
        ['Subcutanean', 'Aaron A. Reed', 2020],
      ],
    ],
    ['LibraryThing, in UTF-8', libraryThingRows, libraryThingBooks],
    ['LibraryThing, in UTF-16', utf16(libraryThingRows), libraryThingBooks],
    ['LibraryThing, in Latin-1', latin1(libraryThingRows), libraryThingBooks],
    [
      'calibre',
      '\uFEFFauthors,author_sort,rating,library_name,timestamp,formats,size,isbn,identifiers,comments,tags,series,series_index,languages,title,cover,title_sort,publisher,pubdate,id,uuid\n"Terry Pratchett & Neil Gaiman","Pratchett, Terry & Gaiman, Neil","5","Bücher","2021-01-19T22:41:16+01:00","epub","1433809","9780756411800","isbn:9780756411800","","","","1.0","eng","Good Omens","/c.jpg","Good Omens","Gollancz","1990-05-01T01:00:00+01:00","864","3051"\n"Unknown","Unknown","","Bücher","2021-01-19T22:41:16+01:00","","","","","","","","1.0","eng","Undated","","Undated","","0101-01-01T00:00:00+00:00","865","3052"\n',
      [
        ['Good Omens', 'Terry Pratchett & Neil Gaiman', 1990],
        ['Undated', 'Unknown', 0],
      ],
    ],
    [
      'BookWyrm',
      'title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,goodreads_key,bnf_id,viaf,wikidata,asin,aasin,isfdb,isbn_10,isbn_13,oclc_number,start_date,finish_date,stopped_date,rating,review_name,review_cw,review_content,review_published,shelf,shelf_name,shelf_date\n我穿我自己,琅俨,https://example.com/book/2010,,,,,,,,,,,,,,,,,,,,,,to-read,To Read,2024-08-10\n',
      [['我穿我自己', '琅俨', 0]],
    ],
    [
      'Openreads',
      'title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified\nWild Flowers Electric Beasts,,Alina Leonova,"A ""line""\nbreak",planned,false,false,,,2023,,,1|||||Solarpunk,,,paperback,,2024-03-01T13:01:12.937,2024-03-01T13:01:12.937\n',
      [['Wild Flowers Electric Beasts', 'Alina Leonova', 2023]],
    ],
    [
      'StoryGraph',
      'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?\nAlways Coming Home,"Ursula K. Le Guin, Todd Barton","",9780520227354,,to-read,2021/05/10,"","",0,"",,,,,,,,,"",,"",No\n',
      [['Always Coming Home', 'Ursula K. Le Guin, Todd Barton', 0]],
    ],
    [
      'Hardcover',
      `${hardcover}The Hobbit,J.R.R. Tolkien,The Lord of the Rings: (#0.5),Read,Public,382700,31454,,9780261103344,,Read,,,Paperback,310,,1937-09-21,Harper,,,,,,2025-01-01,,,,\n`,
      [['The Hobbit', 'J.R.R. Tolkien', 1937]],
    ],
    [
      'Hardcover, with its release date',
      'Title,Author,Status,Release Date,Date Added\nThe Hobbit,J.R.R. Tolkien,Read,1937-09-21,2025-01-01\n',
      [['The Hobbit', 'J.R.R. Tolkien', 1937]],
    ],
    [
      'Libib',
      'item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,group,tags,notes,price,length,number_of_discs,number_of_players,age_group,ensemble,aspect_ratio,esrb,rating,review,review_date,status,began,completed,added,copies\nbook,The Dispossessed,Ursula K. Le Guin,Ursula K.,Le Guin,My library,9780441478125,0441478123,,Harper,1974-05-01,,,,,304,,,,,,,,,,Completed,,,2026-01-05,1\n',
      [['The Dispossessed', 'Ursula K. Le Guin', 1974]],
    ],
    [
      'Book Catalogue',
      '"_id","author_details","title","isbn","publisher","date_published","rating","bookshelf_id","bookshelf","read","series_details","pages","notes","list_price","anthology","location","read_start","read_end","format","signed","loaned_to","anthology_titles","description","genre","language","date_added","goodreads_book_id","last_goodreads_sync_date","last_update_date","book_uuid",\n"1","Pratchett, Terry|Gaiman, Neil","Good Omens","0575048000","Gollancz","1990-05-01","5","1","Default","1","","288","","","0","","","","","0","","","","","","2012-01-01 10:00:00","","","2012-01-01 10:00:00","x",\n',
      [['Good Omens', 'Pratchett, Terry; Gaiman, Neil', 1990]],
    ],
    [
      'Jelu',
      'Title,Author,ISBN,Publisher,Date Read,Shelves,Bookshelves,read_dates,tags,authors,isbn10,isbn13,owned,dropped_dates,currently_reading\nbook1,test author,9781566199094,test-publisher,2022/02/10,currently-reading,sciencefiction fantasy,,"science fiction,fantasy","test author,author2 name",1566199093,9781566199094,,"2020/02/10,2021/02/10",2022/02/10\n',
      [['book1', 'test author,author2 name', 0]],
    ],
    [
      'Jelu, as JSON',
      '[{"title":"book1","authors":[{"id":"1","name":"test author"},{"id":"2","name":"author2 name"}],"publishedDate":"2018-03-01","isbn13":"9781566199094"}]',
      [['book1', 'test author, author2 name', 2018]],
    ],
    [
      'Koha',
      'biblionumber,title,author,copyrightdate,isbn,itemcallnumber\n12,Emma /,"Austen, Jane,",c1996.,0141439580,FIC AUS\n',
      [['Emma /', 'Austen, Jane,', 1996]],
    ],
    [
      'Open Library',
      'Work ID,Title,Authors,First Publish Year,Edition ID,Edition Title,Bookshelf,My Ratings,Average Rating,Has Review\nOL66513W,Emma,Jane Austen,1815,OL7798182M,Emma,Already Read,,4.1,\n',
      [['Emma', 'Jane Austen', 1815]],
    ],
    [
      'Zotero',
      '"Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","Date","Date Added"\n"K","book","1815","Austen, Jane","Emma","","","12/1815","2020-01-01 10:00:00"\n',
      [['Emma', 'Austen, Jane', 1815]],
    ],
  ];
  for (const [program, file, books] of table) {
    test(program, async () => {
      const outcome = await load(file);
      assert.deepEqual([outcome.code, outcome.books], [0, books], outcome.stderr);
    });
  }
});

describe('headers in other languages', () => {
  const table: [language: string, header: string][] = [
    ['Russian', 'Название;Автор;Год издания'],
    ['Ukrainian', 'Назва;Автор;Рік видання'],
    ['German', 'Titel;Autor;Erscheinungsjahr'],
    ['German, of a library', 'TITEL;Verfasser/in;Jahr'],
    ['French', 'Titre;Auteur(s);Année de publication'],
    ['Italian', 'Titolo;Autori;Anno di pubblicazione'],
    ['Spanish', 'Título;Autor(es);Año'],
    ['Portuguese', 'Título;Autores;Ano de publicação'],
    ['Polish', 'Tytuł;Autorzy;Rok wydania'],
    ['Czech', 'Název;Autor;Rok vydání'],
    ['Romanian', 'Titlu;Autor;Anul apariției'],
    ['Dutch', 'Titel;Auteur;Jaar van uitgave'],
    ['Swedish', 'Titel;Författare;Utgivningsår'],
    ['Hungarian', 'Cím;Szerző;Kiadás éve'],
    ['Turkish', 'Başlık;Yazar;Yayın yılı'],
    ['Greek', 'Τίτλος;Συγγραφέας;Έτος έκδοσης'],
  ];
  for (const [language, header] of table) {
    test(language, async () => {
      const { books } = await load(`${header}\nEmma;Jane Austen;1815\n`);
      assert.deepEqual(books, [['Emma', 'Jane Austen', 1815]]);
    });
  }
});
