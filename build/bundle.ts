// Bundles what runs (dist/*.js, one file per operation in dist/handlers) and what browsers load (dist/assets, named by
// content, pre-compressed, listed in manifest.json). Files that a build no longer makes are removed at its end, so that
// a running service keeps its assets while it is being rebuilt.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { companions, filesBelow, ROOT } from './source-tree.ts';
import { buildVendor } from './vendor.ts';

const DIST = join(ROOT, 'dist');
const ASSETS = join(DIST, 'assets');

/** Bundle name (without `.js`) → source. */
const PROGRAMS: Readonly<Record<string, string>> = {
  main: 'runtime/main.ts',
  groundcrew: 'runtime/cli/main.ts',
  enforce: 'runtime/enforce/main.ts',
  check: 'runtime/enforce/check.ts',
  disk: 'runtime/enforce/disk.ts',
  watchdog: 'shared/appliance/apply/window/watchdog.ts',
  'apart-worker': 'shared/ground/store/apart-worker.ts',
  ...companions(),
};
const BROWSER_ENTRIES = ['pages/islands/app.ts', 'pages/styles/app.css'];

function version(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

const SHARED_OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  splitting: true,
  write: true,
  metafile: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"', GROUNDCREW_VERSION: JSON.stringify(version()) },
  logLevel: 'warning',
};

/** Only compressible kinds get siblings; fonts and images are compressed already. */
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.html', '.txt', '.map']);
/** Above this, brotli's best level would take longer than the rest of the build. */
const BEST_LEVEL_UP_TO = 256 * 1024;

const DEPLOYED = 'deployed:';

/** An entry `deployed:handlers/…` is that handler wrapped by runtime/deployed.ts, exported under the name gateways call. */
const wrapHandlers: Plugin = {
  name: 'wrap-handlers',
  setup(bundler) {
    bundler.onResolve({ filter: /^deployed:/ }, ({ path }) => ({
      path: path.slice(DEPLOYED.length),
      namespace: 'deployed',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'deployed' }, ({ path }) => ({
      contents: `import { operation } from './${path}';
        import { deployed } from './runtime/deployed.ts';
        export const handler = deployed(operation);`,
      loader: 'ts',
      resolveDir: ROOT,
    }));
  },
};

/** Comments and white space are a third of the packages. */
const squeezePackages: Plugin = {
  name: 'squeeze-packages',
  setup(bundler) {
    bundler.onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minifyWhitespace: true, legalComments: 'none' });
      return { contents: code, loader: 'js' };
    });
  },
};

/**
 * Built-in modules are asked of Node by name, member by member: an `import` of one reads all its members, and a member of
 * node:http is a whole HTTP client, one of node:crypto all of Web Cryptography. An idle service kept them for nothing.
 */
const askForBuiltins: Plugin = {
  name: 'ask-for-builtins',
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^(?:node:.+|${builtinModules.join('|')})$`) }, ({ kind, path }) =>
      kind === 'import-statement'
        ? { path: path.replace(/^(?:node:)?/, 'node:'), namespace: 'builtin', sideEffects: false }
        : { path, external: true },
    );
    bundler.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const members = Object.keys(process.getBuiltinModule(path) as object).filter((name) => /^\w+$/.test(name));
      // What nobody names is left out: reading a member is said to do nothing else.
      const own = members
        .filter((name) => name !== 'default')
        .map(
          (name) => `const its_${name} = /* @__PURE__ */ (() => all.${name})();\nexport { its_${name} as ${name} };`,
        );
      const all = `const all = /* @__PURE__ */ process.getBuiltinModule('${path}');\nexport default all;`;
      return { contents: [all, ...own].join('\n'), loader: 'js' };
    });
  },
};

/**
 * V8 keeps the source of what it has loaded: white space was a fifth of it. Names stay, and lines are short, so that a stack trace
 * leads to the statement.
 */
const AS_LOADED: BuildOptions = {
  minifyWhitespace: true,
  lineLimit: 100,
  legalComments: 'none',
  plugins: [askForBuiltins],
};

/**
 * The programs share chunks with one another only: all operations' chunks beside them made main.js load 500 files. Answers the
 * absolute paths written; a test writes one of the programs elsewhere.
 */
export const bundlePrograms = (programs = PROGRAMS, outdir = DIST): Promise<string[]> =>
  bundleForNode(programs, 'chunks/[name]-[hash]', { ...AS_LOADED, outdir });

/**
 * Each operation deployed alone, as small as can be: a gateway loads it before its first answer. Names stay, for the stack
 * traces. Scheduled work is called by the ticker, and forms/ is what forms share: neither is among them.
 *
 * The operations of a folder share chunks with one another only: what one of all the others needs of a module would be carried by
 * each, and so would the imports between many more chunks.
 */
async function bundleHandlers(): Promise<string[]> {
  const sources = filesBelow('handlers').filter(
    (path) => /\.ts$/.test(path) && !/^handlers\/(?:forms|scheduled)\//.test(path),
  );
  const areas = Map.groupBy(sources, (path) => path.split('/')[1]!);
  const written: string[] = [];
  for (const [area, paths] of areas) {
    const entries = paths.map((path) => [path.replace(/\.ts$/, ''), `${DEPLOYED}${path}`]);
    const chunks = `handlers/chunks/${area}-[hash]`;
    written.push(...(await bundleForNode(Object.fromEntries(entries), chunks, { minify: true, keepNames: true })));
  }
  return written;
}

/** Answers the absolute paths written. */
async function bundleForNode(
  entryPoints: Record<string, string>,
  chunkNames: string,
  more: BuildOptions = {},
): Promise<string[]> {
  const result = await build({
    ...SHARED_OPTIONS,
    outdir: DIST,
    ...more,
    entryPoints,
    chunkNames,
    platform: 'node',
    target: 'node22',
    // knex finds dialects and migrations by real paths, sqlite3 its addon; lambda-api asks for the SDK lazily, if ever, and
    // ssh2 does without the addon that tells what the processor can.
    external: ['sqlite3', 'knex', '@aws-sdk/*', 'cpu-features'],
    plugins: [wrapHandlers, squeezePackages, ...(more.plugins ?? [])],
    // A part of ssh2 asks for its own folder when it is loaded, without reading anything there.
    define: { __dirname: '"/"' },
    // CommonJS dependencies inside an ES module bundle still call require(). Every chunk has it.
    banner: {
      js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
    },
  });
  const paths = Object.keys(result.metafile?.outputs ?? {}).map((path) => join(ROOT, path));
  for (const path of paths) writeInLatin1(path);
  return paths;
}

/**
 * V8 keeps a source in two bytes a character when one of them is beyond Latin-1. The bundler escapes those of strings and leaves
 * those of comments and regular expressions, where the escape means the same.
 */
function writeInLatin1(path: string): void {
  const text = readFileSync(path, 'utf8');
  const plain = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (plain !== text) writeFileSync(path, plain);
}

/** Builds what browsers load; answers logical name → file name in dist/assets. */
async function bundleAssets(): Promise<Record<string, string>> {
  const entryPoints = BROWSER_ENTRIES.filter((source) => existsSync(join(ROOT, source)));
  if (entryPoints.length === 0) return {};
  const result = await build({
    ...SHARED_OPTIONS,
    entryPoints,
    outdir: ASSETS,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file' },
  });
  return Object.fromEntries(
    Object.entries(result.metafile?.outputs ?? {}).map(([path, output]) => {
      const file = basename(path);
      return [output.entryPoint ? logicalName(output.entryPoint) : file, file];
    }),
  );
}

/** `pages/islands/app.ts` → `app.js`: what a page asks the manifest for. */
function logicalName(source: string): string {
  return basename(source).replace(/\.tsx?$/, '.js');
}

/** Third-party files that pages load. What is grouped by page becomes `reference.css`, `terminal.js`… in the manifest. */
async function vendorAssets(): Promise<Record<string, string>> {
  const named = Object.entries<string | Record<string, string>>({ ...(await buildVendor(ASSETS)) });
  return Object.fromEntries(
    named.flatMap(([name, files]) =>
      typeof files === 'string'
        ? [[name, files]]
        : Object.entries(files).map(([part, file]) => [`${name}.${part}`, file]),
    ),
  );
}

/** Writes `.br` and `.gz` siblings; a file named by its content is never compressed twice. */
async function compress(file: string): Promise<void> {
  if (!COMPRESSIBLE.has(extname(file))) return;
  const path = join(ASSETS, file);
  if (
    existsSync(`${path}.br`) &&
    existsSync(`${path}.gz`) &&
    statSync(`${path}.br`).mtimeMs >= statSync(path).mtimeMs
  ) {
    return;
  }
  const content = readFileSync(path);
  const quality = content.length <= BEST_LEVEL_UP_TO ? constants.BROTLI_MAX_QUALITY : 9;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipped);
}

/** Removes every file below dist that isn't in `kept`. */
function removeStale(folder: string, kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeStale(path, kept);
    else if (!kept.has(path)) rmSync(path);
  }
}

async function main(): Promise<void> {
  const started = performance.now();
  mkdirSync(ASSETS, { recursive: true });
  const [programs, handlers, own, vendored] = await Promise.all([
    bundlePrograms(),
    bundleHandlers(),
    bundleAssets(),
    vendorAssets(),
  ]);
  const manifest = { ...vendored, ...own };
  const assets = Object.values(manifest);
  await Promise.all(assets.map(compress));
  const manifestPath = join(ASSETS, 'manifest.json');
  writeFileSync(manifestPath, `${JSON.stringify(manifest, Object.keys(manifest).sort(), 2)}\n`);
  const kept = assets.flatMap((file) => ['', '.br', '.gz'].map((suffix) => join(ASSETS, file + suffix)));
  removeStale(DIST, new Set([...programs, ...handlers, ...kept, manifestPath]));
  const firstLoad = ['app.js', 'app.css']
    .map((name) => manifest[name])
    .filter((file) => file !== undefined)
    .map((file) => `${file} ${(statSync(join(ASSETS, `${file}.br`)).size / 1000).toFixed(1)} kB`);
  console.log(
    [
      `${relative(ROOT, DIST)}/: ${programs.length + handlers.length} modules, ${assets.length} assets`,
      ...firstLoad,
      `${((performance.now() - started) / 1000).toFixed(2)} s`,
    ].join(', '),
  );
}

if (import.meta.main) await main();
