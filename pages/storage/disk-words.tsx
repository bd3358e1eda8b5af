// Words of disks in tables and facts.
import type { ListedDisk } from '../../shared/services/storage/disk-list.ts';
import { byteWords } from '../components/byte-words.ts';
import { State } from '../components/state-word.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { VOLUMES } from './storage-words.tsx';

export const FILESYSTEM_LABELS = { xfs: 'XFS', ext4: 'ext4' } as const;

/** The volume that has it, or whether it can take one, or why not. */
export function DiskFit({ disk: { volume, fit, obstacle } }: { disk: ListedDisk }) {
  if (volume !== null) {
    return (
      <>
        volume <a href={itemHref(VOLUMES, volume.id)}>{volume.name}</a>
      </>
    );
  }
  if (fit === 'blank') return <State kind="ok">blank: to be formatted</State>;
  if (fit === 'filesystem') return <State kind="ok">as it is</State>;
  return <State kind="off">no: it {obstacle}</State>;
}

/** Signatures, partitions, and what uses it, one a line. */
export function DiskContent({
  disk,
}: {
  disk: Pick<ListedDisk, 'contents' | 'partitions' | 'mounts' | 'holders' | 'swap'>;
}) {
  const { contents, partitions, mounts, holders, swap } = disk;
  const lines = [
    ...contents.map(({ type, uuid }) => (uuid === '' ? type : `${type} ${uuid}`)),
    ...partitions.map(
      ({ name, bytes, content }) => `${name}, ${byteWords(bytes)}${content === null ? '' : `: ${content.type}`}`,
    ),
    ...holders.map((name) => `part of ${name}`),
    ...mounts.map((at) => `mounted at ${at}`),
    ...(swap ? ['swap'] : []),
  ];
  if (lines.length === 0) return <span class="muted">nothing that is known</span>;
  return (
    <>
      {lines.map((line) => (
        <span key={line} class="line">
          {line}
        </span>
      ))}
    </>
  );
}
