import process from 'node:process';

process.env.SERVICE_FACE = 'handler';
await import('./specification.test.ts');
