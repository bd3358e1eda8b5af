// The installed packages that the built programs load at run time: what the bundles leave outside, and what that needs.
// Prints one folder name below node_modules a line. Run by install.sh with the Node that it installs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Left outside of the bundles: knex because it finds its dialects by path. */
const ROOTS = ['knex'];
/** The same where they could be installed: sqlite3 for its native addon. */
const OPTIONAL_ROOTS = ['sqlite3'];
/** Only for building the addon, which is built. */
const BUILD_ONLY: ReadonlySet<string> = new Set(['prebuild-install', 'tar', 'node-addon-api']);

/** Names in alphabetical order. @throws Error naming a package that is not installed. */
export function runtimePackages(modules: string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || BUILD_ONLY.has(name)) return;
    const manifest = join(modules, name, 'package.json');
    if (!existsSync(manifest)) throw new Error(`${name} is not installed below ${modules}`);
    found.add(name);
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) visit(dependency);
  };
  for (const root of [...ROOTS, ...OPTIONAL_ROOTS.filter((name) => existsSync(join(modules, name)))]) visit(root);
  return [...found].sort();
}

if (import.meta.main) {
  const [modules = 'node_modules'] = process.argv.slice(2);
  process.stdout.write(`${runtimePackages(modules).join('\n')}\n`);
}
