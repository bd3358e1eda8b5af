// What an update of the installed programs leaves for a service that still runs, by the installer's own functions.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const INSTALLER = readFileSync(resolve(import.meta.dirname, '../../build/appliance/install.sh'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls a function of the installer with folders below the test's own. */
function call(name: string, ...folders: string[]): void {
  const body = new RegExp(`^${name}\\(\\) \\{\\n[^]*?^\\}`, 'm').exec(INSTALLER)![0];
  execFileSync('sh', ['-euc', `${body}\n${name} "$@"`, 'sh', ...folders.map((each) => join(folder, each))]);
}

function lay(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const chunks = (of: string) => readdirSync(join(folder, of, 'chunks')).sort();

test('the parts of the programs that run stay until the service was restarted, then go', () => {
  lay('old/chunks/migrate-AAAA.js', 'old');
  lay('old/chunks/same-BBBB.js', 'same');
  lay('built/chunks/migrate-CCCC.js', 'new');
  lay('built/chunks/same-BBBB.js', 'same');
  lay('new/chunks/migrate-CCCC.js', 'new');
  lay('new/chunks/same-BBBB.js', 'same');
  call('keep_chunks', 'old', 'new');
  expect(chunks('new')).toEqual(['migrate-AAAA.js', 'migrate-CCCC.js', 'same-BBBB.js']);
  expect(readFileSync(join(folder, 'new/chunks/migrate-CCCC.js'), 'utf8')).toBe('new');
  call('drop_chunks', 'new', 'built');
  expect(chunks('new')).toEqual(['migrate-CCCC.js', 'same-BBBB.js']);
});

test('a first installation has nothing to keep', () => {
  lay('fresh/chunks/main-DDDD.js', 'new');
  call('keep_chunks', 'nowhere', 'fresh');
  expect(chunks('fresh')).toEqual(['main-DDDD.js']);
});

test('they are kept before the programs take their place, and dropped only after the restart', () => {
  const places = [
    'keep_chunks "$program',
    'mv "$new" "$program"',
    'systemctl restart groundcrew',
    'drop_chunks "$program',
  ];
  const at = places.map((text) => INSTALLER.indexOf(text));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(at.every((place) => place > 0)).toBe(true);
});
