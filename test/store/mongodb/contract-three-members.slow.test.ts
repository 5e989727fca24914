import { startMongods } from '../../support/mongod.ts';
import { testMongodb } from './contract-questions.ts';
import { sized } from '../../support/size.ts';

// What differs on three members has tests of its own: elections, late writes, index builds, currency.
const skip = sized<string | false>({
  short: 'runs in the long form: npm run test:long mongodb/contract',
  long: false,
});

testMongodb('MongoDB, a replica set of three', skip === false ? await startMongods({ count: 3 }) : { skip });
