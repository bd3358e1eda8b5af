// Programs of our own that run beside the service: inside a network namespace, which a running process can't enter, or
// longer than the service. In the source tree each is a file beside the module that starts it; in a build it is at the
// top of the folder with this module's bundle, however deep the bundle is.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the program, for `process.execPath` to run: `ntp-question`. `beside` is the URL of the module that asks. */
export function companion(name: string, beside: string): string {
  if (beside.endsWith('.ts')) return fileURLToPath(new URL(`.//${name}.ts`, beside));
  const bundled = `${name}.js`;
  let folder = dirname(fileURLToPath(beside));
  while (!existsSync(join(folder, bundled)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, bundled);
}
