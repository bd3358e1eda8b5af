// What people read of the directory's facts.
import { onOff, orNone, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { LdapFacts } from './facts.ts';

function policyWords({ max_failures, lockout_minutes, max_age_days }: LdapFacts['policy']): string {
  const until = lockout_minutes === 0 ? 'until unlocked' : `for ${lockout_minutes} min`;
  const lock = max_failures === 0 ? 'accounts never lock' : `${max_failures} wrong passwords lock ${until}`;
  return max_age_days === 0 ? lock : `${lock}; passwords end after ${max_age_days} days`;
}

export const WORDS: WordsOf<LdapFacts> = {
  enabled: (_name, on) => ['directory', onOff(on)],
  listen: (name, at) => [`listens on ${name}`, at.join(', ') || 'no address'],
  hostname: (_name, hostname) => ['host name', hostname || 'none'],
  plain_bind: (_name, allowed) => ['sign-in without TLS', allowed ? 'allowed' : 'refused'],
  policy: (_name, policy) => ['passwords', policyWords(policy)],
  authority: (_name, sha256) => ['certificate authority', sha256 ?? 'none'],
  certificate: (_name, { not_after }) => ['certificate', `valid until ${not_after}`],
  organization: (name, suffix) => [`organization ${name}`, suffix],
  user: (name, { name: shown, kind, mail, telephone, enabled }) => [
    `user ${name}`,
    [shown, ...(kind === 'service' ? ['service'] : []), mail, telephone, ...(enabled ? [] : ['can’t sign in'])].join(
      ', ',
    ),
  ],
  user_password: (name) => [`password of user ${name}`, 'set'],
  group: (name, { users, groups }) => [`group ${name}`, orNone([...users, ...groups.map((group) => `group ${group}`)])],
  bind_account: (name) => [`bind account ${name}`, 'reads its organization'],
  bind_password: (name) => [`password of bind account ${name}`, 'set'],
};
export const words = viewOf(WORDS);
