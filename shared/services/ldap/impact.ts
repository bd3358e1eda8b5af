// What a change of the directory means to people.
import { type Difference, wayOf } from '../../platform/units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { type LdapFacts, ldap } from './facts.ts';
import { CERTIFICATE_FILE, CONFIG_FILE, LISTEN_FILE } from './files.ts';
import { WORDS } from './words.ts';

const MOST = 12;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<LdapFacts>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = { [K in keyof LdapFacts]: (change: Extract<Change, { kind: K }>) => Meaning | null };

const MEANS: Means = {
  enabled: ({ after }) =>
    after
      ? says('low', 'The directory answers.')
      : says('high', 'The directory is switched off: nobody who is only known here can sign in to anything.'),
  listen(change) {
    const { name, after } = change;
    if (after === undefined) return says('high', `It no longer answers on ${name}: products that ask there lose it.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `It answers on ${name} (${where}).`)
      : says('high', `It answers elsewhere on ${name} (${where}): products that know the old place lose it.`);
  },
  hostname: (change) =>
    wayOf(change) === 'added'
      ? null
      : says('high', 'Its certificate names another host: products that know it by the former name refuse it.'),
  plain_bind: ({ before, after }) =>
    after
      ? says('high', 'Clients may sign in without TLS: everybody on the way can read their passwords.')
      : before
        ? says('medium', 'Clients that sign in without TLS are refused.')
        : null,
  policy: (change) =>
    wayOf(change) === 'changed' ? says('low', `From now on: ${WORDS.policy('', change.after!)[1]}.`) : null,
  authority: (change) =>
    wayOf(change) === 'changed'
      ? says('high', 'Its certificate is issued by another root, which every product that uses it has to trust first.')
      : null,
  certificate: (change) =>
    wayOf(change) === 'changed'
      ? says(
          'medium',
          'It serves another certificate: products that trust the root notice nothing, those that were given the former certificate itself (NSX, vCenter) refuse it until they are given this one.',
        )
      : null,
  organization(change) {
    const { name, after, before } = change;
    return after === undefined
      ? says('high', `The organization ${name} (${before}) is not served any more: its users can’t sign in.`)
      : says('low', `The organization ${name} is served at ${after}.`);
  },
  user(change) {
    const { name, before, after } = change;
    if (after === undefined) return says('medium', `User ${name} is gone.`);
    if (before !== undefined && before.uuid !== after.uuid)
      return says('high', `User ${name} is another one to products: its entryUUID changes.`);
    if (before === undefined)
      return says('low', `User ${name} is added${after.enabled ? '' : ', disabled: it can’t sign in'}.`);
    if (before.enabled && !after.enabled) return says('medium', `User ${name} is disabled: it can’t sign in any more.`);
    if (!before.enabled && after.enabled) return says('low', `User ${name} is enabled: it can sign in again.`);
    return says('low', `User ${name} is changed.`);
  },
  user_password: ({ name, before, after }) => {
    if (after === undefined)
      return says('medium', `User ${name} has no password any more: it can’t sign in until it is given one.`);
    return says('low', `User ${name} ${before === undefined ? 'gets a password' : 'signs in with a new password'}.`);
  },
  group(change) {
    const { name, before, after } = change;
    if (after === undefined) return says('medium', `Group ${name} is gone or disabled, with what products gave to it.`);
    if (before !== undefined && before.uuid !== after.uuid)
      return says('high', `Group ${name} is another one to products: its entryUUID changes.`);
    return says('low', `Group ${name} is ${wayOf(change)}.`);
  },
  bind_account: ({ name, after }) =>
    after === undefined
      ? says('high', `Bind account ${name} is gone or disabled: the product that uses it finds no users.`)
      : says('low', `Bind account ${name} may read its organization.`),
  bind_password: ({ name, before, after }) => {
    if (after === undefined)
      return says('high', `Bind account ${name} has no password any more: the product that uses it finds no users.`);
    return before === undefined
      ? says('low', `Bind account ${name} gets its password.`)
      : says('high', `Bind account ${name} gets another password: the product that uses it needs it, too.`);
  },
};

/** Whose password it is. */
const HOLDER: { readonly [K in keyof LdapFacts]?: keyof LdapFacts } = {
  user_password: 'user',
  bind_password: 'bind_account',
};

/** Only a change of these ends the connections that are open. */
const RESTARTS = new Set([CONFIG_FILE, LISTEN_FILE, CERTIFICATE_FILE]);

/** Measured: clients get no answer for 0.2 s, plus the time of systemd. */
function interruptionOf({ before, after, written, removed }: UnitChange): string {
  if (!ldap.get(before, 'enabled')) return 'none';
  if (!ldap.get(after, 'enabled')) return 'the directory ends';
  return [...written, ...removed].some((path) => RESTARTS.has(path))
    ? 'directory up to 1 s; open connections end, and clients connect again'
    : 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const { before, after } = change;
  const on = ldap.get(after, 'enabled');
  const changes = ldap.differences(before, after);
  // When the directory is switched off, one sentence is enough; so it is where an account goes with its password.
  const gone = new Set(changes.flatMap((each) => (wayOf(each) === 'removed' ? [`${each.kind} ${each.name}`] : [])));
  const told = on
    ? changes.filter(({ kind, name }) => !gone.has(`${HOLDER[kind]} ${name}`))
    : changes.filter((each) => wayOf(each) !== 'removed');
  const all = told.flatMap((each) => (MEANS[each.kind] as (change: Change) => Meaning | null)(each) ?? []);
  // What weighs most is said first.
  const sentences = all
    .sort((one, other) => RISKS.indexOf(other.risk) - RISKS.indexOf(one.risk))
    .map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more entries change.`] : sentences,
    risk: all[0]?.risk ?? 'low',
    interruption: interruptionOf(change),
  };
}
