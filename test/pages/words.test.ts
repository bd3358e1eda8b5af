// One wording for one thing: phrases that were dropped come back in no page, and no problem says them.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../shared/ground/problems.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Dropped phrase → what is said now. */
const DROPPED: Readonly<Record<string, string>> = {
  'Saving changes nothing on the host': 'Saved changes take effect when you apply them.',
  'Nothing was saved: ${fields}': 'Not saved: 2 fields need correction',
  'This needs you': 'Check this field',
  'As applied': 'Matches',
  'Seconds to confirm': 'Roll back unless confirmed within (seconds)',
  'Put back now': 'Roll back now',
  'Bring back': 'Restore',
  'Names of others': 'Forwarding',
  'Own names': 'Local zones',
  'What clients are told': 'Sent to clients',
  'Rules are asked': 'Rules are matched in order',
  'but not asked': 'Disabled rules are kept but not applied.',
  'Least sources': 'Minimum sources',
  'Lets in': 'Access',
  'May sign in': 'Enabled',
  'Not in use': 'Disabled',
  "label: 'Saved as'": 'State',
  'kept by service (': 'kept by Offline depot',
  'not observed': 'Not on the host yet',
  'Not there yet': 'Not on the host yet',
  'natural key.': 'This name or address is already in use.',
};

/** What people may read in a source: all but its comments. */
const spoken = (file: string): string =>
  readFileSync(join(ROOT, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ');

test('no page says a dropped phrase', () => {
  const files = globSync('pages/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(200);
  const said = files.flatMap((file) => {
    const text = spoken(file);
    return Object.keys(DROPPED).flatMap((phrase) => (text.includes(phrase) ? [`${file}: ${phrase}`] : []));
  });
  expect(said).toEqual([]);
});

test('no problem says a dropped phrase', () => {
  const sentences = Object.values(ERROR_CODES).map(([, sentence]) => sentence);
  const phrases = [...Object.keys(DROPPED), 'guarded operation', 'correlate', 'is again', 'was put back.'];
  expect(sentences.filter((sentence) => phrases.some((phrase) => sentence.includes(phrase)))).toEqual([]);
});
