// Ordering the disk of a volume to be formatted.
import { RadioField } from '../components/form.tsx';
import { orderPage } from './volume-order.tsx';

const OPTIONS = [
  { value: 'xfs', label: 'XFS: datastores may have size limits that hold; it grows and never shrinks' },
  { value: 'ext4', label: 'ext4: no size limits' },
];

export const page = orderPage({
  work: 'format',
  title: (name) => `Format the disk of ${name}`,
  says: ({ disk }) => (
    <p>
      The next apply makes a filesystem on this disk.{' '}
      {disk !== null && disk.fit !== 'blank' && (
        <strong>
          It can’t now: the disk {disk.obstacle ?? 'carries a filesystem already, and is mounted as it is'}.{' '}
        </strong>
      )}
      Only a blank disk is formatted, and nothing is wiped. The order counts for the plan that is submitted next, and
      for the disk as it is now.
    </p>
  ),
  fields: (_data, typed) => (
    <RadioField
      name="filesystem"
      label="Filesystem"
      value={typed.text('filesystem', 'xfs')}
      error={typed.of('filesystem')}
      options={OPTIONS}
    />
  ),
  button: 'Order the format',
  note: 'The disk is formatted when you apply it, and looked at again right before.',
});
