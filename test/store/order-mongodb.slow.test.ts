import process from 'node:process';

process.env.TEST_STORES = 'MongoDB';
await import('./order.test.ts');
