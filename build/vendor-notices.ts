// Gathers the licence texts of the packages in a bundle, which their licences require for distribution.
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

const packageOf = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const noticeFile = /(^|\.)licen[cs]e|^notice|^copying/i;

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && noticeFile.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts.map((text) => text.trim())].join('\n\n');
}

/**
 * Answers one text with name, version and licence files of every package that one of `files` belongs to, sorted by
 * folder. Files outside `node_modules` are our own and left out.
 */
export async function vendorNotices(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => packageOf.exec(file)?.[1] ?? []));
  const sorted = [...folders].sort((a, b) => (a.split(sep).join('/') < b.split(sep).join('/') ? -1 : 1));
  const notices = await Promise.all(sorted.map(noticeOf));
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
