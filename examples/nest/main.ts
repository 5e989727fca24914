// The catalogue in a Nest app, on Express. Nest adds its body parsers when it starts: after the catalogue.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createHandler } from 'shelflist';
import { catalogue, port } from '../settings.js';

@Controller()
class AppController {
  @Get()
  index(): string {
    return 'my own app';
  }
}

const { prefix, ...config } = catalogue;
const books = await createHandler(config);

@Module({
  controllers: [AppController],
  // Before Nest waits for responses: it ends the streams of changes.
  providers: [{ provide: 'catalogue', useValue: { onModuleDestroy: () => books.close() } }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.use(prefix, books); // Express takes the prefix off, so the handler gets none.
app.enableShutdownHooks(['SIGTERM']);
await app.listen(port, '127.0.0.1');
console.log(`${await app.getUrl()}${prefix}/`);
