// Jest's configuration: native ES modules (`node --experimental-vm-modules`), sources transformed by esbuild. Which files
// belong to which suite stands in suites.ts; here every test is visible, so that one file can be named on a command line.
// What was transformed is kept beside the packages: the folder for temporary files differs from run to run.
export default {
  rootDir: '..',
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/test/**/*.test.tsx'],
  testEnvironment: '<rootDir>/test/setup/worker/environment.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'mjs', 'js', 'cjs', 'json', 'node'],
  transform: { '\\.tsx?$': '<rootDir>/build/jest-esbuild.cjs' },
  moduleNameMapper: {
    '^knex$': '<rootDir>/test/setup/worker/knex.cjs',
    '^knex/lib/dialects/sqlite3/index\\.js$': '<rootDir>/test/setup/worker/knex-sqlite3.cjs',
    // As passphrase.ts names it; a test that names the whole path has the real one.
    '^\\./passphrase-work\\.ts$': '<rootDir>/test/setup/worker/passphrase-work.ts',
    // As password.ts names it, likewise.
    '^\\./password-work\\.ts$': '<rootDir>/test/setup/worker/password-work.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFiles: ['<rootDir>/test/setup/sqlite-driver.ts'],
  testSequencer: '<rootDir>/build/jest-sequencer.mjs',
  // A test that hangs, not one on a busy machine.
  testTimeout: 300_000,
  watchman: false,
};
