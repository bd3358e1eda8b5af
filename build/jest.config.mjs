// Jest's configuration: native ES modules (`node --experimental-vm-modules`), sources transformed by esbuild. Which files
// belong to which suite stands in suites.ts; here every test is visible, so that one file can be named on a command line.
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/test/**/*.test.tsx'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'mjs', 'js', 'cjs', 'json', 'node'],
  transform: { '\\.tsx?$': '<rootDir>/build/jest-esbuild.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFilesAfterEnv: [],
  testTimeout: 20_000,
  watchman: false,
};
