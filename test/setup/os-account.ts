// An account of the operating system that exists in one mount namespace alone: a program that is started there finds it, and PAM
// with it. Nothing of the machine changes. Root only.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ACCOUNT = 'gcoperator';
export const OS_PASSWORD = 'canary of the operating system';

const MOUNT = `set -eu
mount --make-rprivate /
for name in passwd shadow group pam.d; do mount --bind "$0/$name" "/etc/$name"; done
exec "$@"`;

/** Writes the account below the folder; answers the words that start a program with it. */
export function withAccount(folder: string): { program: string; args: string[] } {
  mkdirSync(folder, { recursive: true });
  const add = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), `${readFileSync(`/etc/${name}`, 'utf8')}${lines.join('\n')}\n`, {
      mode: name === 'shadow' ? 0o640 : 0o644,
    });
  const hash = String(execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: OS_PASSWORD })).trim();
  const others = ['gcoutsider'];
  add(
    'passwd',
    `${ACCOUNT}:x:4711:4711::/tmp:/bin/bash`,
    ...others.map((name) => `${name}:x:4712:4711::/tmp:/bin/bash`),
  );
  add('shadow', ...[ACCOUNT, ...others].map((name) => `${name}:${hash}:19000:0:99999:7:::`));
  add('group', `${ACCOUNT}:x:4711:`, `groundcrew-terminal:x:4713:${ACCOUNT}`);
  rmSync(join(folder, 'pam.d'), { recursive: true, force: true });
  cpSync('/etc/pam.d', join(folder, 'pam.d'), { recursive: true });
  cpSync(resolve(import.meta.dirname, '../../build/appliance/pam.conf'), join(folder, 'pam.d/groundcrew-terminal'));
  return { program: 'unshare', args: ['--mount', 'sh', '-c', MOUNT, folder] };
}
