import type { Book } from '../../../catalogue/book.ts';
import type { ExportFormat } from '../../../formats/file-formats.ts';
import { createSerializer, type SerializerOptions } from '../../../formats/write/serializer.ts';
import { inParts } from '../../ui/parts.ts';

export interface BookTextOptions extends SerializerOptions {
  format: ExportFormat;
}

/** Formats books as text, piece by piece. `count` is the number of books up to the end of a piece. */
export async function* formatBooks(
  books: AsyncIterable<Book>,
  { format, ...options }: BookTextOptions,
): AsyncGenerator<{ text: string; count: number }> {
  const { head, part, between, foot } = await createSerializer(format, options);
  let count = 0;
  yield { text: head, count };
  for await (const some of inParts(books)) {
    const text = (count === 0 ? '' : between) + part(some);
    count += some.length;
    yield { text, count };
  }
  yield { text: foot(count === 0), count };
}
