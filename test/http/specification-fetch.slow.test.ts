import process from 'node:process';

process.env.SERVICE_FACE = 'fetch';
await import('./specification.test.ts');
