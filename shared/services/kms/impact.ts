// What a change of key management means to people: a key that is out of reach is a virtual machine that does not start.
import { type Difference, wayOf } from '../../platform/units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import type { KmsDesired } from './desired.ts';
import { type KmsFacts, kms } from './facts.ts';
import { keysNamed } from './keys/held.ts';
import { WORDS } from './words.ts';

const MOST = 12;
/** The certificate names where it answers; the key that vCenter saw stays. */
const ANEW =
  'If this needs another certificate, it is made with the same key: a vCenter that pinned the certificate itself has to trust the new one.';

interface Meaning {
  sentence: string;
  risk: Risk;
}
const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<KmsFacts>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = { [K in keyof KmsFacts]: (change: Extract<Change, { kind: K }>) => Meaning | null };

const MEANS: Means = {
  enabled: ({ after }) =>
    after
      ? says('low', 'The KMIP server answers.')
      : says('high', 'The KMIP server is switched off: what is encrypted with its keys does not start or mount again.'),
  listen(change) {
    const { name, after } = change;
    if (after === undefined)
      return says('high', `It no longer answers on ${name}: a vCenter that reaches it there loses it.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `It answers on ${name} (${where}). ${ANEW}`)
      : says(
          'high',
          `It answers elsewhere on ${name} (${where}): a vCenter that knows the old place loses it. ${ANEW}`,
        );
  },
  hostname(change) {
    const [, named] = WORDS.hostname('', change.after ?? '');
    return wayOf(change) === 'added'
      ? says('low', `Its certificate names ${change.after === '' ? 'its addresses alone' : named}. ${ANEW}`)
      : says(
          'high',
          `Its certificate names ${named} from now on: a vCenter that pinned the old one has to trust again.`,
        );
  },
  authority: (change) =>
    wayOf(change) === 'changed'
      ? says('high', `Its certificate is issued by another root, which vCenter has to trust first. ${ANEW}`)
      : null,
  certificate: ({ before, after }) =>
    before && after
      ? says(
          'high',
          `It serves another certificate, SHA-256 ${after.sha256}, until ${after.not_after}, with the same key while that can be opened: a vCenter that pinned the former certificate itself gets no key until it trusts this one.`,
        )
      : null,
};

/** Pure: what the change means, in words, before it is made. `desired` has the keys that are held. */
export function impact({ before, after }: UnitChange, desired?: Pick<KmsDesired, 'keys'>): Impact {
  const on = kms.get(after, 'enabled');
  const changes = kms.differences(before, after);
  // When it is switched off, one sentence is enough.
  const told = on ? changes : changes.filter((change) => wayOf(change) !== 'removed');
  const all = told.flatMap((change) => (MEANS[change.kind] as (change: Change) => Meaning | null)(change) ?? []);
  const risk = RISKS[Math.max(0, ...all.map((each) => RISKS.indexOf(each.risk)))] ?? 'high';
  const keys = desired?.keys;
  const held = keys && keys.count > 0 && risk === 'high' ? [`It holds ${keysNamed(keys)}.`] : [];
  const sentences = [...held, ...all.map(({ sentence }) => sentence)];
  const more = sentences.length - MOST + 1;
  const moved = changes.some((change) => change.kind === 'listen' && wayOf(change) !== 'added');
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk,
    interruption: moved ? 'no key is given at an address that is given up' : 'none',
  };
}
