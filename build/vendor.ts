// Builds what the API reference and the terminal load: Redoc bundled so that it lives with a strict content security policy. Every file name carries a hash of the content, so that answers may be cached for ever.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { vendorNotices } from './vendor-notices.ts';

/** File names (no folder) of one page's assets. `worker` is the search worker that the page's script starts. */
export interface VendorAssets {
  reference: { js: string; css: string; worker: string };
  terminal: { js: string; css: string; replay: string };
  /** Licence texts of everything that the other files hold. */
  notices: string;
}

const root = join(import.meta.dirname, '..');
const documents = join(root, 'pages/documents');
const islands = join(root, 'pages/islands');

const browser: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
};

/** Writes `content` as `<name>.<hash>.<extension>` below `folder` and answers the file name. */
async function writeHashed(folder: string, name: string, extension: string, content: string): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const file = `${name}.${hash}.${extension}`;
  await writeFile(join(folder, file), content);
  return file;
}

interface Bundle {
  text: string;
  inputs: string[];
}

async function bundle(entry: string, options: BuildOptions = {}): Promise<Bundle> {
  const result = await build({ ...browser, ...options, entryPoints: [entry] });
  return { text: result.outputFiles![0]!.text, inputs: Object.keys(result.metafile!.inputs) };
}

interface Built<Files> {
  files: Files;
  inputs: string[];
}

// Redoc's published library carries its search worker as a string that it starts from a blob: address, and asks a foreign
// host for a logo. Both would break `default-src 'self'`, so the worker becomes a file of ours and the logo is left out.
const workerBlob = /URL\.createObjectURL\(new Blob\(\[('(?:[^'\\]|\\.)*')\]\)\)/;
const foreignLogo = /"https:\/\/cdn\.redoc\.ly\/[^"]*"/g;

function exactlyOnce(source: string, pattern: RegExp, what: string): void {
  const count = source.match(new RegExp(pattern.source, 'g'))?.length ?? 0;
  if (count !== 1) throw new Error(`redoc: expected ${what} once, found ${count} times; look at build/vendor.ts`);
}

function redocWithoutBlobs(found: (workerSource: string) => void): Plugin {
  return {
    name: 'redoc-without-blobs',
    setup(bundling) {
      bundling.onLoad({ filter: /[\\/]redoc\.browser\.lib\.js$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        exactlyOnce(source, workerBlob, 'the search worker');
        exactlyOnce(source, foreignLogo, 'the logo address');
        found(String(runInNewContext(workerBlob.exec(source)![1]!)));
        const contents = source
          .replace(workerBlob, () => 'globalThis.apiReferenceWorker')
          .replace(foreignLogo, () => '"data:,"');
        return { contents, loader: 'js' };
      });
    },
  };
}

// Redoc fetches, bundles and converts documents of every kind and age. Ours is one OpenAPI 3.1 file without outside
// references, so that the loader (a linter with a YAML parser and Node's file system) is replaced by a few lines.
const loader = join(islands, 'api-reference-loader.ts');
const replaced = [
  '@redocly/openapi-core/lib/bundle',
  '@redocly/openapi-core/lib/config/config',
  'call-me-maybe',
  'fast-safe-stringify',
  'yaml',
];

async function buildReference(outDir: string): Promise<Built<VendorAssets['reference']>> {
  let workerSource = '';
  const { text, inputs } = await bundle(join(islands, 'api-reference.ts'), {
    format: 'iife',
    alias: Object.fromEntries(replaced.map((name) => [name, loader])),
    plugins: [
      redocWithoutBlobs((source) => {
        workerSource = source;
      }),
    ],
  });
  const css = await bundle(join(documents, 'reference.css'));
  const files = {
    js: await writeHashed(outDir, 'api-reference', 'js', text),
    css: await writeHashed(outDir, 'api-reference', 'css', css.text),
    worker: await writeHashed(outDir, 'api-reference-search', 'js', workerSource),
  };
  return { files, inputs };
}

/** Of the pages of the terminal and of its recordings alone. */
async function buildTerminal(outDir: string): Promise<Built<VendorAssets['terminal']>> {
  const { text, inputs } = await bundle(join(islands, 'terminal.ts'), { format: 'iife' });
  const replay = await bundle(join(islands, 'terminal-replay.ts'), { format: 'iife' });
  const css = await bundle(join(root, 'pages/styles/terminal.css'));
  const files = {
    replay: await writeHashed(outDir, 'terminal-replay', 'js', replay.text),
    js: await writeHashed(outDir, 'terminal', 'js', text),
    css: await writeHashed(outDir, 'terminal', 'css', css.text),
  };
  return { files, inputs: [...inputs, ...replay.inputs, ...css.inputs] };
}

/**
 * Writes the assets of the API reference and of the terminal below `outDir` (made if missing) and answers their file names. The same
 * packages give the same names. Scripts hold characters outside ASCII: serve them with `charset=utf-8`.
 * Throws when the pinned Redoc no longer looks as expected, or when esbuild can't bundle.
 */
export async function buildVendor(outDir: string): Promise<VendorAssets> {
  await mkdir(outDir, { recursive: true });
  const reference = await buildReference(outDir);
  const terminal = await buildTerminal(outDir);
  const packages = [...reference.inputs, ...terminal.inputs].map((file) => join(root, file));
  const notices = await writeHashed(outDir, 'vendor-notices', 'txt', await vendorNotices(packages));
  return { reference: reference.files, terminal: terminal.files, notices };
}
