// What a change of the offline depot means to people.
import { type Difference, wayOf } from '../../platform/units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { type DepotFacts, depot } from './facts.ts';
import { WORDS } from './words.ts';

const MOST = 12;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<DepotFacts>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = { [K in keyof DepotFacts]: (change: Extract<Change, { kind: K }>) => Meaning | null };

const MEANS: Means = {
  enabled: ({ after }) =>
    after
      ? says('low', 'The offline depot answers over HTTPS.')
      : says('high', 'The offline depot is switched off: appliances that take their software from here get none.'),
  listen(change) {
    const { name, after } = change;
    if (after === undefined)
      return says('high', `It no longer answers on ${name}: appliances that reach it there lose it.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `It answers on ${name} (${where}).`)
      : says('high', `It answers elsewhere on ${name} (${where}): appliances that know the old place lose it.`);
  },
  hostname(change) {
    const [, named] = WORDS.hostname('', change.after ?? '');
    return wayOf(change) === 'added'
      ? says('low', `Its certificate names ${change.after === '' ? 'its addresses alone' : named}.`)
      : says('high', `Its certificate names ${named} from now on: appliances that know another name refuse it.`);
  },
  access(change) {
    const { after = { user: '' } } = change;
    if ('everybody' in after) return says('high', 'Everybody who reaches it can read all of it, without a login.');
    if (after.user === '') return says('medium', 'No depot user is chosen: all that takes a login is closed.');
    const [, who] = WORDS.access('', after);
    return wayOf(change) === 'added'
      ? says('low', `It lets ${who} in.`)
      : says('medium', `It lets ${who} in, and nobody else: appliances that log in otherwise are refused.`);
  },
  authority: (change) =>
    wayOf(change) === 'changed'
      ? says('high', 'Its certificate is issued by another root, which appliances have to trust first.')
      : null,
  certificate: ({ before, after }) =>
    before && after
      ? says(
          'medium',
          `It serves another certificate, SHA-256 ${after.sha256}, until ${after.not_after}: appliances that trust the root notice nothing, those that were given the former certificate itself refuse it until they are given this one.`,
        )
      : null,
};

/** Pure: what the change means, in words, before it is made. */
export function impact({ before, after }: UnitChange): Impact {
  const on = depot.get(after, 'enabled');
  const changes = depot.differences(before, after);
  // When the depot is switched off, one sentence is enough.
  const told = on ? changes : changes.filter((change) => wayOf(change) !== 'removed');
  const all = told.flatMap((change) => (MEANS[change.kind] as (change: Change) => Meaning | null)(change) ?? []);
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  const moved = changes.some((change) => change.kind === 'listen' && wayOf(change) !== 'added');
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: moved ? 'downloads at an address that is given up end' : 'none',
  };
}
