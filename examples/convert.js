// A converter: reads a file of books in any format, and writes it as an Excel workbook. It needs no catalogue.
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { readBooks, writeBooks } from 'shelflist/formats';

const [from = 'books.csv', to = 'books.xlsx'] = process.argv.slice(2);

async function* booksIn(fileName) {
  let id = 0;
  for await (const { line, unit, book, problem } of readBooks(createReadStream(fileName), { fileName })) {
    if (problem) console.error(`${unit} ${line} is left out: ${problem.message}`);
    else yield { id: ++id, ...book };
  }
}

await writeFile(to, writeBooks(booksIn(from), { format: 'xlsx' }));
