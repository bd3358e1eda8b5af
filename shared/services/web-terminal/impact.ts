// What a change of the web terminal means to people: who could reach a shell from where.
import { wayOf } from '../../platform/units/facts.ts';
import type { Impact, UnitChange } from '../../platform/units/unit.ts';
import { terminal } from './facts.ts';
import { WORDS } from './words.ts';

const MOST = 12;

const RECORDED = {
  on: 'What is printed in terminals opened from now on is recorded, and their users are told before they sign in; what is typed is not.',
  off: 'Terminals opened from now on are not recorded. Recordings that are there stay for the days that their users were told.',
};

export function impact({ before, after }: UnitChange): Impact {
  const on = terminal.get(after, 'enabled') === true;
  const was = before !== null && terminal.get(before, 'enabled') === true;
  const says: string[] = [];
  if (on && !was)
    says.push(
      'A terminal can be opened: whoever is an administrator here, and knows the password of an account in the group groundcrew-terminal, gets its shell.',
    );
  if (was && !on) says.push('No terminal can be opened any more; those that are open end at once.');
  const changes = on ? terminal.differences(before, after) : [];
  for (const change of changes) {
    if (change.kind === 'enabled') continue;
    if (change.kind === 'opens') {
      const { name, after: now } = change;
      says.push(
        now === undefined
          ? `It opens no more on ${name}; terminals that are open there end at once.`
          : `It opens on ${name} (${WORDS.opens(name, now)[1]}).`,
      );
    } else if (change.kind === 'recording' && wayOf(change) !== 'changed') {
      says.push(RECORDED[change.after === undefined ? 'off' : 'on']);
    } else if (was && change.after !== undefined) {
      const [what, value] = (WORDS[change.kind] as (name: string, value: number) => [string, string])('', change.after);
      says.push(`Of terminals opened from now on: ${what} ${value}.`);
    }
  }
  const ends = changes.some((change) => change.kind === 'opens' && wayOf(change) !== 'added');
  return {
    says: says.slice(0, MOST),
    risk: on && !was ? 'medium' : 'low',
    interruption: (was && !on) || ends ? 'open terminals end' : 'none',
  };
}
