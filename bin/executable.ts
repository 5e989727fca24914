import cluster from 'node:cluster';
import { main } from '../src/cli/program/main.ts';
import { run } from './run.ts';

/**
 * The program as one executable without Node (`scripts/executable/build.mjs`). There is no compile cache: Node keeps none for code that
 * an executable contains.
 */
// Messages name the program `shelflist`, also in a script that npm runs.
delete process.env.npm_execpath;
// Node passes a worker the path of its script, too, which is the executable.
run(main, process.argv.slice(cluster.isWorker ? 3 : 2));
