// What people read of the web terminal's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { TerminalFacts } from './facts.ts';

export const WORDS: WordsOf<TerminalFacts> = {
  enabled: (_name, on) => ['web terminal', onOff(on)],
  opens: (name, addresses) => [`opens on ${name}`, addresses.join(', ') || 'no address'],
  idle: (_name, minutes) => ['minutes without input', `${minutes}`],
  total: (_name, minutes) => ['minutes in any case', `${minutes}`],
  sessions: (_name, most) => ['terminals at the same time', `${most}`],
  each: (_name, most) => ['terminals of one user', `${most}`],
  recording: (_name, days) => ['days that what is printed is kept', `${days}`],
  recordings: (_name, most) => ['megabytes of all recordings', `${most}`],
};
export const words = viewOf(WORDS);
