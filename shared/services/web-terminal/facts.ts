// The web terminal as facts: what a plan compares.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { TerminalDesired } from './desired.ts';

export type TerminalFacts = {
  enabled: boolean;
  /** By interface: addresses of the management UI at which it opens. */
  opens: string[];
  /** Minutes. */
  idle: number;
  total: number;
  /** At the same time: in all, and of one user. */
  sessions: number;
  each: number;
  /** Days that what is printed is kept; none: it is not recorded. */
  recording: number;
  /** Megabytes of all recordings. */
  recordings: number;
};

export const terminal = factsOf<TerminalFacts>();

export function facts({ settings, listen }: TerminalDesired): Facts {
  const { facts: found, add } = terminal.list();
  add('enabled', settings.enabled);
  if (!settings.enabled) return found;
  for (const { name, addresses } of listen) add('opens', addresses, name);
  add('idle', settings.idle_minutes);
  add('total', settings.session_minutes);
  add('sessions', settings.sessions);
  add('each', settings.sessions_per_user);
  // What an older release applied knows of none.
  if (settings.recording !== true) return found;
  add('recording', settings.recording_days);
  add('recordings', settings.recording_megabytes);
  return found;
}

export const follows = ({ kind }: Difference): boolean => kind === 'opens';
