// What people read of storage's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import { networkWords, type StorageFacts } from './facts.ts';

export const WORDS: WordsOf<StorageFacts> = {
  enabled: (_name, on) => ['storage', onOff(on)],
  volume: (name, { device, at, filesystem, bytes }) => [
    `volume ${name}`,
    `${device} at ${at}${filesystem === undefined ? '' : `, ${filesystem} of ${bytes} bytes`}`,
  ],
  datastore: (name, { at, version, interface: on, addresses, clients, size_limit }) => [
    `datastore ${name}`,
    `${at} over NFS ${version} on ${on} at ${addresses.join(', ')} for ${clients.map(networkWords).join(', ')}${size_limit ? `, up to ${size_limit} GiB` : ''}`,
  ],
};
export const words = viewOf(WORDS);
