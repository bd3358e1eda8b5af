// Ordering the filesystem of a volume to grow to its disk.
import type { StorageVolume } from '../../shared/services/storage/volumes.ts';
import { byteWords } from '../components/byte-words.ts';
import { orderPage } from './volume-order.tsx';

/** How large a filesystem is that others made is not always known. Growing one that fills its disk changes nothing. */
const fromWords = ({ filesystem_bytes }: StorageVolume): string =>
  filesystem_bytes === 0 ? '' : `from ${byteWords(filesystem_bytes)} `;

export const page = orderPage({
  work: 'grow',
  title: (name) => `Grow the filesystem of ${name}`,
  says: ({ volume, disk }) => (
    <p>
      {disk === null || volume.filesystem === ''
        ? 'Only a filesystem that is known grows here, on a disk that is attached.'
        : `The next apply grows the filesystem ${fromWords(volume)}to the ${byteWords(disk.bytes)} of its disk, while it is in use. It never shrinks again.`}
    </p>
  ),
  button: 'Order the growth',
  note: 'The filesystem grows when you apply it.',
});
