// What a change of the portal means to people.
import { type Difference, wayOf } from '../../units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../units/unit.ts';
import type { PortalDesired } from './desired.ts';
import { type PortalFacts, portal } from './facts.ts';
import { WORDS } from './words.ts';

const MOST = 12;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<PortalFacts>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = { [K in keyof PortalFacts]: (change: Extract<Change, { kind: K }>) => Meaning | null };

const MEANS: Means = {
  enabled: ({ after }) =>
    after
      ? says('low', 'The portal hands out the root certificate over plain HTTP.')
      : says('medium', 'The portal is switched off: nobody fetches the root certificate or asks what was revoked.'),
  listen(change) {
    const { name, after } = change;
    if (after === undefined) return says('medium', `It no longer answers on ${name}.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `It answers on ${name} (${where}).`)
      : says('medium', `It answers elsewhere on ${name} (${where}).`);
  },
  hostname({ after = '' }) {
    return after === ''
      ? says('low', 'It has no host name: certificates that are issued from now on name no address of it.')
      : says('low', `Certificates that are issued from now on name it as ${after}.`);
  },
  revocation: (change) => {
    if (change.after)
      return says('low', 'It tells what was revoked, by lists and by OCSP. Certificates name both from now on.');
    const sentence = 'It does not tell what was revoked: programs that have to know refuse certificates that name it.';
    return wayOf(change) === 'added' ? null : says('medium', sentence);
  },
  authority: (change) =>
    change.after === 'signing' && wayOf(change) === 'changed'
      ? says('low', 'The root certificate that it hands out is another one from now on.')
      : null,
};

/** Pure: what the change means, in words, before it is made. */
export function impact({ before, after }: UnitChange, desired?: Pick<PortalDesired, 'orphaned'>): Impact {
  const on = portal.get(after, 'enabled');
  const changes = portal.differences(before, after);
  // When the portal is switched off, one sentence is enough.
  const told = on ? changes : changes.filter((change) => wayOf(change) !== 'removed');
  const all = told.flatMap((change) => (MEANS[change.kind] as (change: Change) => Meaning | null)(change) ?? []);
  const moves = changes.some(({ kind }) => kind === 'hostname' || kind === 'enabled');
  if (moves && desired) all.push(...orphans(desired));
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: 'none',
  };
}

/** Addresses stay in a certificate for as long as it is valid. */
const orphans = ({ orphaned }: Pick<PortalDesired, 'orphaned'>): Meaning[] =>
  Object.entries(orphaned).map(([host, count]) =>
    says(
      'high',
      count === 1
        ? `One certificate that is still valid names the portal as ${host}: keep that name in DNS, or issue it anew.`
        : `${count} certificates that are still valid name the portal as ${host}: keep that name in DNS, or issue them anew.`,
    ),
  );
