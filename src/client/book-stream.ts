import { toBook, type Book } from '../book.ts';
import { ShelflistError } from '../errors.ts';

/**
 * Reads the envelope of a list as it arrives, and gives its books one by one.
 *
 * @throws {ShelflistError} `bad_response` when it is no such envelope, or ends before its end.
 */
export async function* readBookStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<Book, void, undefined> {
  const { JSONParser } = await import('@streamparser/json');
  const parser = new JSONParser({ paths: ['$.data', '$.data.*'] });
  let books: Book[] = [];
  let shape: 'list' | 'other' | undefined;
  parser.onValue = ({ value, parent, stack }) => {
    if (stack.length === 1) shape = Array.isArray(value) ? 'list' : 'other';
    else {
      const book = toBook(value);
      if (book === undefined) throw notAList('it holds something that is no book');
      books.push(book);
      if (Array.isArray(parent)) parent.length = 0; // What was given is not held.
    }
  };
  for await (const chunk of chunks) {
    try {
      parser.write(chunk);
    } catch (error) {
      throw error instanceof ShelflistError ? error : notAList('it is no JSON');
    }
    yield* books;
    books = [];
  }
  if (!parser.isEnded) throw notAList('it ends before its end');
  if (shape !== 'list') throw notAList('another program may be listening there');
}

function notAList(problem: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's answer is no list of books: ${problem}`,
  });
}
