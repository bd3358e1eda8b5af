// What a change of network boot means to people.
import { type Difference, type Facts, wayOf } from '../../platform/units/facts.ts';
import { ASK_AGAIN, RESTART_TIMES } from '../../platform/units/restart-times.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { type BootedHost, type BootFacts, boot } from './facts.ts';
import { FRAGMENT_FILE } from './files.ts';
import { takenWords, WORDS } from './words.ts';

const MOST = 12;

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Change = Difference<BootFacts>;
type Of<K> = Extract<Change, { kind: K }>;
/** What a change of a fact means; null: nothing worth a sentence. */
type Means = { [K in keyof BootFacts]: (change: Of<K>) => Meaning | null };

/** Whether a host has something to install. Without Kickstart or medium it only gets a menu. */
const installs = (host: BootedHost | undefined): boolean =>
  host !== undefined && host.kickstart !== null && host.medium !== null;

const hostWords = (host: BootedHost): string => WORDS.host('', host)[1];

function meansOfHost({ name, before, after }: Of<'host'>): Meaning {
  if (after === undefined) {
    return installs(before)
      ? says('medium', `${name} can no longer install itself; its open attempt ends.`)
      : says('low', `${name} is no longer known.`);
  }
  const how = hostWords(after);
  if (installs(before)) {
    const can = installs(after) ? 'installs otherwise' : 'can no longer install itself';
    return says('medium', `${name} ${can} (${how}); its open attempt ends.`);
  }
  return installs(after)
    ? says('low', `${name} can install itself (${how}).`)
    : says('low', `${name} is known, but has nothing to install (${how}).`);
}

/** The same machine under another name. */
function meansOfRename(former: string, name: string, before: BootedHost, after: BootedHost): Meaning {
  const renamed = `${former} is renamed to ${name} (${hostWords(after)})`;
  return installs(before) ? says('medium', `${renamed}; its open attempt ends.`) : says('low', `${renamed}.`);
}

const MEANS: Means = {
  enabled: ({ after }) =>
    after
      ? says('low', 'Machines that boot over the network get the menu wherever this appliance’s DHCP serves them.')
      : says('medium', 'Network boot is switched off: no host can install itself, and open boot attempts end.'),
  listen(change) {
    const { name, after } = change;
    if (after === undefined)
      return says('medium', `The boot listener no longer answers on ${name}; attempts there end.`);
    const [, where] = WORDS.listen(name, after);
    return wayOf(change) === 'added'
      ? says('low', `The boot listener answers on ${name} (${where}).`)
      : says('medium', `The boot listener answers at another address on ${name} (${where}); attempts there end.`);
  },
  tftp({ after }) {
    if (after === undefined) return null;
    return after
      ? says('low', 'The first boot program is served over TFTP.')
      : says('medium', 'There is no TFTP: only machines that run iPXE already, or boot over HTTP, can boot.');
  },
  uefi(change) {
    const { after } = change;
    if (after === undefined || (wayOf(change) === 'added' && after === null)) return null;
    return says('low', `Firmware that boots over HTTP gets: ${WORDS.uefi('', after)[1]}.`);
  },
  scope: ({ name, after }) =>
    after === undefined ? null : says('low', `Machines of the scope ${name} ${WORDS.scope(name, after)[1]}.`),
  host: meansOfHost,
  kickstart(change) {
    const { name, after } = change;
    if (after === undefined) return null;
    if (wayOf(change) === 'changed') {
      const [, how] = WORDS.kickstart(name, after);
      return says('medium', `Kickstart ${name} has another text (${how}); open attempts with it end.`);
    }
    return after.vault_values.length > 0 ? says('low', `Kickstart ${name} takes ${takenWords(after)}.`) : null;
  },
  medium: (change) =>
    wayOf(change) === 'changed'
      ? says('medium', `Medium ${change.name} has other files (${WORDS.medium('', change.after!)[1]}).`)
      : null,
};

/** Added host → removed host with the same MAC address: the same machine under another name. */
function renames(all: readonly Change[]): Map<string, Of<'host'>> {
  const hosts = all.filter((change) => change.kind === 'host');
  const gone = new Map(hosts.flatMap((change) => (change.after ? [] : [[change.before!.mac, change] as const])));
  return new Map(
    hosts.flatMap(({ name, before, after }) => {
      const former = before || !after ? undefined : gone.get(after.mac);
      return former ? [[name, former] as const] : [];
    }),
  );
}

function meaningsOf({ before, after }: { before: Facts | null; after: Facts }): Meaning[] {
  const all = boot.differences(before, after);
  // When network boot is off, no other change matters.
  const told = boot.get(after, 'enabled') ? all : all.filter(({ kind }) => kind === 'enabled');
  const renamed = renames(told);
  const former: ReadonlySet<Change> = new Set(renamed.values());
  return told.flatMap((change) => {
    if (former.has(change)) return [];
    const was = change.kind === 'host' ? renamed.get(change.name) : undefined;
    if (was && change.kind === 'host') return meansOfRename(was.name, change.name, was.before!, change.after!);
    return (MEANS[change.kind] as (change: Change) => Meaning | null)(change) ?? [];
  });
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const all = meaningsOf(change);
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  const restarts = [...change.written, ...change.removed].includes(FRAGMENT_FILE);
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    // dnsmasq reads its options for machines that boot only when it starts.
    interruption: restarts
      ? `names up to ${RESTART_TIMES.names.told} s late, addresses up to ${RESTART_TIMES.addresses.told} s while dnsmasq restarts; ${ASK_AGAIN}`
      : 'none',
  };
}
