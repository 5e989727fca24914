import { startMongods } from '../../support/mongod.ts';
import { testMongodb } from './contract-questions.ts';

// What differs on three members has tests of its own: elections, late writes, index builds, currency.
testMongodb('MongoDB, a replica set of three', await startMongods({ count: 3 }));
