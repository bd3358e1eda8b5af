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
  'Bring this state back': 'Restore this configuration',
  'state of the plan back': 'Restore this configuration',
  'in which they are asked': 'in which they are matched',
  'Save desired state': 'Save interface',
  'What they are told': 'Sent to clients',
  'has to lie': 'must be in',
  'Your role does not include': 'Your role may not change: Vaults.',
  "word: 'Put back'": 'Rolled back',
  'Nothing was saved: 2 things': 'Not saved: 2 fields need correction',
  'You are not signed in': 'Sign-in failed',
  'You come from': 'Your address',
  'as rehearsed': 'Applied (rehearsal)',
  "'Lately'": 'Recent activity',
  'Not as applied': 'Changed on the host',
  'told from what runs': 'This change can’t be adopted automatically.',
  'Saving is locked while it runs': 'Saving is locked during the apply.',
  'Mutations locked': 'Saving locked; plan still matches the review',
  'In force until the window ends': 'Applied for now: rolls back unless you confirm',
  'Ids are kept and revisions': 'Settings that depend on interface addresses are updated too.',
  'commits together with its event. The events': 'Every change is recorded.',
  'whom it asks': 'where it forwards other queries',
  'first that fits': 'the first match applies',
  'Whom the appliance tells': 'Time service for clients',
  'custody stays when': 'Works without the portal.',
  'readied before': 'Prepare DNS names, SDDC Manager and depot',
  'not a byte after': 'Reads the TLS certificate only; nothing is sent.',
  'name service alone': 'For DNS only.',
  'It is so at once': 'Takes effect immediately.',
  'Takes effect at once': 'Takes effect immediately.',
  'group="In use"': 'Enabled',
  "name: 'enabled', label: 'State'": 'Enabled',
  'group="Switches"': 'Enabled',
  'Check it only': 'Check',
  '>Save</Button>': 'Save profile: what is saved is named.',
  '> Save </Button>': 'Save policy: what is saved is named.',
  '>Leave it<': 'Cancel',
  '>Decide later<': 'Cancel',
  '>Edit</ButtonLink>': 'Edit client: what is edited is named.',
  '>Delete…</ButtonLink>': 'Delete client: what is deleted is named.',
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
