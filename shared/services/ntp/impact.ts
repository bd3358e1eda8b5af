// What a change of the time service means to people.
import { type Difference, type Facts, wayOf } from '../../platform/units/facts.ts';
import { ASK_AGAIN, RESTART_TIMES } from '../../platform/units/restart-times.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { type NtpFacts, ntp } from './facts.ts';
import { RESTARTING } from './files.ts';
import { WORDS } from './words.ts';

const MOST = 12;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<NtpFacts>;
type Means = { [K in keyof NtpFacts]: (change: Extract<Change, { kind: K }>) => Meaning };

/** A value in words; empty for none. */
const inWords = <K extends keyof NtpFacts>(kind: K, value: NtpFacts[K] | undefined): string =>
  value === undefined ? '' : WORDS[kind]('', value)[1];

/** What a change of a fact means. */
const MEANS: Means = {
  enabled: (change) =>
    change.after || wayOf(change) === 'added'
      ? says('low', `The time service is ${inWords('enabled', change.after)}.`)
      : says('high', 'The time service is switched off: clients get no time any more.'),
  listen(change) {
    const { name, after } = change;
    const where = inWords('listen', after);
    return {
      added: says('low', `The service listens on ${name} (${where}).`),
      changed: says('high', `The service listens on another address of ${name} (${where}).`),
      removed: says('high', `The service no longer listens on ${name}: its clients get no time.`),
    }[wayOf(change)];
  },
  refused: ({ after }) =>
    after === undefined
      ? says('low', 'The service is bound to its addresses alone; no network has to be refused.')
      : says(
          'medium',
          `With several addresses, clients are told apart by their networks; refused are: ${inWords('refused', after)}.`,
        ),
  clients: ({ after }) => says('medium', `The time is told to: ${inWords('clients', after)}.`),
  stratum: ({ after }) =>
    after === 0
      ? says('medium', 'While no source answers, clients are told that the time is not known.')
      : says(
          'low',
          `While no source answers, clients get the appliance’s own clock at stratum ${inWords('stratum', after)}.`,
        ),
  nts: ({ after }) => says('low', `NTS is ${inWords('nts', after)}.`),
  nts_certificate: (change) =>
    ({
      added: says('low', 'NTS is served: clients that trust the root certificate get their keys on TCP port 4460.'),
      changed: says(
        'medium',
        'The certificate of NTS is replaced. Clients that trust the root certificate which signed it go on without a change.',
      ),
      removed: says('high', 'NTS is not served any more: clients that ask with it get no time.'),
    })[wayOf(change)],
  source(change) {
    const { name, after } = change;
    const how = inWords('source', after);
    return {
      added: says('low', `Source ${name} is asked (${how}).`),
      changed: says('low', `Source ${name} is now asked as: ${how}.`),
      removed: says('medium', `Source ${name} is not asked any more.`),
    }[wayOf(change)];
  },
  agree: ({ after }) =>
    says(
      'low',
      `The clock is set when ${after === 1 ? 'one source is' : `${inWords('agree', after)} sources are`} good.`,
    ),
};

/**
 * Facts that come and go with the switch. Those on clients and listeners still get a sentence when it is switched on.
 */
const WITH_THE_SWITCH: ReadonlySet<string> = new Set<keyof NtpFacts>(['clients', 'listen', 'refused', 'agree']);

function isWorthSaying(change: Change, switched: boolean): boolean {
  const { kind, after } = change;
  if (kind === 'agree' && after === undefined) return false;
  if (!switched || kind === 'enabled' || kind === 'source') return true;
  if (kind === 'nts_certificate') return after !== undefined;
  return after !== undefined && (WITH_THE_SWITCH.has(kind) || (kind === 'nts' && after));
}

function meanings(before: Facts | null, after: Facts): Meaning[] {
  const all = ntp.differences(before, after);
  const switched = all.some(({ kind }) => kind === 'enabled');
  return all
    .filter((change) => isWorthSaying(change, switched))
    .map((change) => (MEANS[change.kind] as (change: Change) => Meaning)(change));
}

/** Consequences of the whole saved state that an operator may not expect. */
function consequences(before: Facts | null, after: Facts): Meaning[] {
  const sources = [...ntp.all(after, 'source')];
  const had = [...ntp.all(before, 'source')].length;
  const found: Meaning[] = [];
  if (had === 0 && sources.length > 0) {
    found.push(
      says('medium', 'The clock follows sources from now on; one that is off by more than a second jumps once.'),
    );
  }
  if (had > 0 && sources.length === 0) {
    found.push(says('high', 'There is no source left: the appliance keeps to its own clock, which drifts.'));
  }
  if (ntp.get(after, 'nts') && !ntp.get(after, 'nts_certificate')) {
    found.push(
      says('medium', 'NTS is not served yet: it needs a certificate, which the certificate authority makes first.'),
    );
  }
  // A pool has several servers.
  const alone = sources.every(([, { kind }]) => kind === 'server');
  const needed = ntp.get(after, 'agree') ?? 0;
  if (alone && sources.length > 0 && sources.length < needed) {
    found.push(
      says('high', `${needed} sources must agree, but there are only ${sources.length}: the clock is never set.`),
    );
  }
  return found;
}

function interruptionOf({ before, after, written, removed }: UnitChange): string {
  if (!ntp.get(before, 'enabled')) return 'none';
  if (!ntp.get(after, 'enabled')) return 'time service ends';
  return [...written, ...removed].some((path) => RESTARTING.has(path))
    ? `time service up to ${RESTART_TIMES.time.told} s; ${ASK_AGAIN}`
    : 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const { before, after } = change;
  const all = [...consequences(before, after), ...meanings(before, after)];
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: interruptionOf(change),
  };
}
