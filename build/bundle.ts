// Bundles what runs (dist/*.js, one file per operation in dist/handlers) and what browsers load (dist/assets, named by
// content, pre-compressed, listed in manifest.json). Files that a build no longer makes are removed at its end, so that
// a running service keeps its assets while it is being rebuilt.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { filesBelow, ROOT } from './source-tree.ts';
import { buildVendor } from './vendor.ts';

const DIST = join(ROOT, 'dist');
const ASSETS = join(DIST, 'assets');

/** Bundle name (without `.js`) → source. */
const PROGRAMS: Readonly<Record<string, string>> = {
  main: 'runtime/main.ts',
  groundcrew: 'runtime/cli/main.ts',
  enforce: 'runtime/enforce/main.ts',
  check: 'runtime/enforce/check.ts',
  watchdog: 'shared/appliance/apply/window/watchdog.ts',
  'dns-question': 'shared/services/dns-dhcp/dns-question.ts',
  'dhcp-question': 'shared/services/dns-dhcp/dhcp/dhcp-question.ts',
  'ntp-question': 'shared/services/ntp/ntp-question.ts',
  'boot-question': 'shared/services/network-boot/boot-question.ts',
  'depot-question': 'shared/services/offline-depot/depot-question.ts',
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

/** Builds the programs and the single operations; answers the absolute paths written. */
async function bundlePrograms(): Promise<string[]> {
  const entries = Object.entries(PROGRAMS).filter(([, source]) => existsSync(join(ROOT, source)));
  for (const path of filesBelow('handlers')) {
    // Scheduled work is called by the ticker, and forms/ is what forms share: only operations are deployed alone.
    if (/\.ts$/.test(path) && !/^handlers\/(?:forms|scheduled)\//.test(path))
      entries.push([path.replace(/\.ts$/, ''), `${DEPLOYED}${path}`]);
  }
  if (entries.length === 0) return [];
  const result = await build({
    ...SHARED_OPTIONS,
    entryPoints: Object.fromEntries(entries),
    outdir: DIST,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node22',
    // knex finds dialects and migrations by real paths, sqlite3 its addon; lambda-api asks for the SDK lazily, if ever.
    external: ['sqlite3', 'knex', '@aws-sdk/*'],
    plugins: [wrapHandlers],
    // CommonJS dependencies inside an ES module bundle still call require().
    banner: {
      js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
    },
  });
  return Object.keys(result.metafile?.outputs ?? {}).map((path) => join(ROOT, path));
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

/** Third-party files that pages load. What is grouped by page becomes `swagger.js`, `reference.css`… in the manifest. */
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
  const [programs, own, vendored] = await Promise.all([bundlePrograms(), bundleAssets(), vendorAssets()]);
  const manifest = { ...vendored, ...own };
  const assets = Object.values(manifest);
  await Promise.all(assets.map(compress));
  const manifestPath = join(ASSETS, 'manifest.json');
  writeFileSync(manifestPath, `${JSON.stringify(manifest, Object.keys(manifest).sort(), 2)}\n`);
  const kept = assets.flatMap((file) => ['', '.br', '.gz'].map((suffix) => join(ASSETS, file + suffix)));
  removeStale(DIST, new Set([...programs, ...kept, manifestPath]));
  const firstLoad = ['app.js', 'app.css']
    .map((name) => manifest[name])
    .filter((file) => file !== undefined)
    .map((file) => `${file} ${(statSync(join(ASSETS, `${file}.br`)).size / 1000).toFixed(1)} kB`);
  console.log(
    [
      `${relative(ROOT, DIST)}/: ${programs.length} modules, ${assets.length} assets`,
      ...firstLoad,
      `${((performance.now() - started) / 1000).toFixed(2)} s`,
    ].join(', '),
  );
}

await main();
