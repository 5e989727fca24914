import { startMongod } from '../../support/mongod.ts';
import { testMongodb } from '../../support/mongodb-contract.ts';

testMongodb('MongoDB, a replica set of one', await startMongod());
