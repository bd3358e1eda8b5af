// Programs of our own that run where a service answers, in particular inside a network namespace, which a running
// process can't enter. In a source tree each is a file beside this one; in a built one it lies at the top of the folder
// that this module's bundle lies in, however deep.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the program, for `process.execPath` to run: `ntp-question`. */
export function companion(name: string): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const bundled = `${name}.js`;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, bundled)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, bundled);
}
