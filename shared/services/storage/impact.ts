// What a change of storage means to people.
import { type Facts, onOff, type Way, wayOf } from '../../platform/units/facts.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { actionFor } from './cheapest.ts';
import type { StorageDesired } from './desired.ts';
import type { Work } from './disk-order.ts';
import { beginsToCount, networkWords, replacesDisk, type StorageFacts, sameExport, storage } from './facts.ts';

const MOST = 12;

interface Meaning {
  risk: Risk;
  sentence: string;
}
const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Datastore = StorageFacts['datastore'];

/** A host that is at the limit can write no more; what lies there stays. */
function limitMeaning(name: string, before: number | undefined, after: number | undefined): Meaning {
  if (after === undefined)
    return says('low', `Datastore ${name} has no size limit any more: hosts see its volume whole.`);
  const sentence = `Datastore ${name} has ${after} GiB from now on, which hosts see as its capacity`;
  return before !== undefined && before < after
    ? says('low', `${sentence}.`)
    : says('medium', `${sentence}: what it holds stays, and nobody writes beyond that, not even root.`);
}

function datastoreMeaning(name: string, before: Datastore | undefined, after: Datastore | undefined): Meaning {
  if (!after) {
    return says('high', `Datastore ${name} is not exported any more: hosts that have it mounted lose all paths to it.`);
  }
  const where = `${after.at} over NFS ${after.version} at ${after.addresses.join(', ')}`;
  if (!before) return says('low', `Datastore ${name} is exported: ${where}.`);
  if (!sameExport(before, after)) {
    return says(
      'high',
      `Datastore ${name} becomes ${where}: hosts that have it mounted lose it and have to mount it anew.`,
    );
  }
  const gone = before.addresses.filter((address) => !after.addresses.includes(address));
  if (gone.length > 0) {
    return says(
      'high',
      `Datastore ${name} does not answer at ${gone.join(', ')} any more: hosts that mounted it there lose all paths to it.`,
    );
  }
  const out = before.clients.filter((network) => !after.clients.includes(network));
  if (out.length > 0) {
    return says(
      'high',
      `Datastore ${name} is not for ${out.map(networkWords).join(', ')} any more: hosts there that have it mounted lose it at once.`,
    );
  }
  if (before.size_limit !== after.size_limit) return limitMeaning(name, before.size_limit, after.size_limit);
  const more = after.clients.filter((network) => !before.clients.includes(network));
  return more.length > 0
    ? says('low', `Datastore ${name} is also for ${more.map(networkWords).join(', ')}.`)
    : says('low', `Datastore ${name} is ${where}.`);
}

function switchMeaning(before: boolean | undefined, after: boolean | undefined): Meaning {
  if (before && !after) return says('high', 'Storage is switched off: hosts lose every datastore of this appliance.');
  return says('low', `Storage is ${onOff(after === true)}.`);
}

type Volume = StorageFacts['volume'];

const GIB = 2 ** 30;
const sizeWords = (bytes = 0): string => `${Math.round((bytes / GIB) * 10) / 10} GiB`;

/** What is done to the disk itself: the fact says what it becomes, the order that somebody typed its name for it. */
function workMeaning(name: string, after: Volume | undefined, work: Work | undefined): Meaning | null {
  if (work === undefined || after?.filesystem === undefined) return null;
  const [kind, uuid] = after.filesystem.split(' ') as [string, string];
  const size = sizeWords(after.bytes);
  return work === 'format'
    ? says(
        'high',
        `The disk ${after.device} of ${size} is formatted with ${kind} (UUID ${uuid}) for the volume ${name}, and mounted at ${after.at}. It is looked at again right before: a disk that carries anything stops the plan. What is formatted stays so.`,
      )
    : says('medium', `The filesystem of the volume ${name} grows to the ${size} of its disk. It can’t shrink again.`);
}

function volumeMeaning(name: string, way: Way, before: Volume | undefined, after: Volume | undefined): Meaning {
  const changed =
    before?.device === after?.device
      ? before?.at === after?.at
        ? `Volume ${name} is known by another filesystem on the same disk. Nothing is formatted.`
        : `Volume ${name} is mounted at ${after?.at} instead.`
      : `Volume ${name} becomes another disk, ${after?.device}, at ${after?.at}: hosts lose what is on the former one.`;
  return {
    added: says('medium', `Volume ${name} is mounted at ${after?.at}. What its disk carries stays.`),
    changed: says('high', changed),
    removed: says('high', `Volume ${name} is not mounted any more. What its disk carries stays.`),
  }[way];
}

function meanings({ before, after }: UnitChange, desired: StorageDesired | undefined): Meaning[] {
  const works = new Map(desired?.volumes.map(({ name, ordered }) => [name, ordered?.work]));
  return storage.differences(before, after).map((change) => {
    if (change.kind === 'enabled') return switchMeaning(change.before, change.after);
    if (change.kind === 'volume') {
      const work = workMeaning(change.name, change.after, works.get(change.name));
      return work ?? volumeMeaning(change.name, wayOf(change), change.before, change.after);
    }
    return datastoreMeaning(change.name, change.before, change.after);
  });
}

/** A restart stalls every host until the grace period is over; nobody loses a datastore by it. */
function interruptionOf(change: UnitChange): string {
  const exports = (facts: Facts | null) => [...storage.all(facts, 'datastore')].length > 0;
  if (!exports(change.before)) return 'none';
  if (!exports(change.after)) return 'all datastores end';
  const stops = replacesDisk(change.before, change.after) || beginsToCount(change.before, change.after);
  return actionFor(true, true, change) === 'restart' || stops
    ? 'every datastore stalls up to 30 s while the server restarts; hosts go on by themselves'
    : 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange, desired?: StorageDesired): Impact {
  const all = meanings(change, desired);
  const sentences = all
    .toSorted((a, b) => RISKS.indexOf(b.risk) - RISKS.indexOf(a.risk))
    .map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: interruptionOf(change),
  };
}
