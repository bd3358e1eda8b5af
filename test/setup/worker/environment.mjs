// What the test files of one worker share. Jest gives each file packages and modules of its own; what takes long to load
// and keeps nothing of a test is loaded once for all files of a worker instead, by Node itself.
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const workerRequire = createRequire(import.meta.url);

export default class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.workerRequire = workerRequire;
  }
}
