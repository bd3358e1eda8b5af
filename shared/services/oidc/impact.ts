// What a change of the OpenID Connect provider means to people. Clients know it by its issuer: another one is a new provider to
// them, so the clients that break are named.
import { type Difference, wayOf } from '../../platform/units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import type { OidcDesired } from './desired.ts';
import { type OidcFacts, oidc } from './facts.ts';
import { WORDS } from './words.ts';

const MOST = 12;
const NAMED_MOST = 8;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<OidcFacts>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = {
  [K in keyof OidcFacts]: (change: Extract<Change, { kind: K }>, clients: readonly string[]) => Meaning | null;
};

const MEANS: Means = {
  enabled: ({ after }, clients) =>
    after
      ? says('low', 'The OpenID Connect provider answers over HTTPS.')
      : says('high', `The OpenID Connect provider is switched off: ${signIn(clients)}.`),
  listen(change) {
    const { name, after } = change;
    if (after === undefined) return says('high', `It no longer answers on ${name}: who reaches it there loses it.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `It answers on ${name} (${where}).`)
      : says('high', `It answers elsewhere on ${name} (${where}): who knows the old place loses it.`);
  },
  hostname(change) {
    const [, named] = WORDS.hostname('', change.after ?? '');
    return wayOf(change) === 'added'
      ? says('low', `Its certificate names ${change.after === '' ? 'its addresses alone' : named}.`)
      : says('high', `Its certificate names ${named} from now on: clients that know another name refuse it.`);
  },
  issuer(change, clients) {
    const { after = '' } = change;
    if (wayOf(change) === 'added') return says('low', `Its issuer is ${after}.`);
    return says('high', `Its issuer is ${after} from now on, another provider to every client: ${signIn(clients)}.`);
  },
  lifetimes: ({ after }) => (after ? says('low', `New tokens: ${WORDS.lifetimes('', after)[1]}.`) : null),
  authority: (change) =>
    wayOf(change) === 'changed'
      ? says('high', 'Its certificate is issued by another root, which clients have to trust first.')
      : null,
  certificate: ({ before, after }) =>
    before && after
      ? says(
          'medium',
          `It serves another certificate, SHA-256 ${after.sha256}, until ${after.not_after}: clients that trust the root notice nothing, those that were given the former certificate itself refuse it until they are given this one.`,
        )
      : null,
};

/** Who can't sign in until it is set up anew. */
function signIn(clients: readonly string[]): string {
  if (clients.length === 0) return 'no client is set up yet';
  const more = clients.length - NAMED_MOST;
  const named = clients.slice(0, NAMED_MOST).join(', ');
  return `nobody signs in at ${named}${more > 0 ? ` and ${more} more` : ''} until it is set up there anew`;
}

/** Pure: what the change means, in words, before it is made. `desired` has the clients. */
export function impact({ before, after }: UnitChange, desired?: Pick<OidcDesired, 'clients'>): Impact {
  const on = oidc.get(after, 'enabled');
  const changes = oidc.differences(before, after);
  // When it is switched off, one sentence is enough.
  const told = on ? changes : changes.filter((change) => wayOf(change) !== 'removed');
  type AnyMeans = (change: Change, clients: readonly string[]) => Meaning | null;
  const all = told.flatMap((change) => (MEANS[change.kind] as AnyMeans)(change, desired?.clients ?? []) ?? []);
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  const moved = changes.some((change) => change.kind === 'listen' && wayOf(change) !== 'added');
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: moved ? 'nobody signs in at an address that is given up' : 'none',
  };
}
