import { startMongod } from '../../support/mongod.ts';
import { testMongodb } from './contract-questions.ts';

testMongodb('MongoDB, a replica set of one', await startMongod());
