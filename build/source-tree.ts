// The repository as the tools see it: its root, and its own files without what is installed, built or written at run time.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const ROOT: string = join(import.meta.dirname, '..');

const NOT_OURS = new Set(['node_modules', '.git', 'dist', 'data', 'coverage']);

/**
 * Paths of the repository's own files below a folder, relative to `root`, with `/`, sorted.
 * A folder that doesn't exist has no files.
 */
export function filesBelow(folder: string, root: string = ROOT): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of entriesOf(join(root, path))) {
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (path === '' && NOT_OURS.has(entry.name)) continue;
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile() && !entry.name.endsWith('.log')) found.push(child);
    }
  };
  visit(folder);
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Programs that services start beside themselves: bundle name → source. */
export const companions = (): Record<string, string> =>
  Object.fromEntries(
    [...filesBelow('shared/platform'), ...filesBelow('shared/services')]
      .filter((path) => path.endsWith('-question.ts'))
      .map((path) => [basename(path, '.ts'), path]),
  );

/** Path → content of every text file of the repository; files with NUL bytes (images, archives) are left out. */
export function textFiles(root: string = ROOT): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of filesBelow('', root)) {
    const content = readFileSync(join(root, path), 'utf8');
    if (!content.includes('\0')) files.set(path, content);
  }
  return files;
}
