// Jest's transformer: TypeScript and TSX to ESM through esbuild, one file at a time. Types are checked by tsc, not here.
const { createHash } = require('node:crypto');
const esbuild = require('esbuild');

/** Jest's own hoisting of mocks isn't wanted: the tests run as native ES modules and inject what they replace. */
module.exports = {
  process(source, file) {
    return esbuild.transformSync(source, {
      loader: file.endsWith('x') ? 'tsx' : 'ts',
      format: 'esm',
      target: 'node22',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      // Beside the code, not in it: every test file loads hundreds of modules, and only a failure needs the maps.
      sourcemap: 'external',
      sourcefile: file,
    });
  },
  getCacheKey(source, file) {
    return createHash('sha256').update(`${esbuild.version}\0node22\0external\0${file}\0${source}`).digest('hex');
  },
};
