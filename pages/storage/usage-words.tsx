// How full something is, and who uses it.
import type { StorageStatus } from '../../shared/appliance/overview/storage-status.ts';
import type { Usage } from '../../shared/services/storage/usage.ts';
import { bytesOf, byteWords } from '../components/byte-words.ts';
import { State } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Codes } from '../units/listing.tsx';

/** From which part on it is marked. From when on it is told is in the rules of alerts. */
const NEARLY_FULL = 0.9;

/** `1.2 of 5.0 GiB, 24 %`. */
export function Used({ of: usage }: { of: Usage | undefined }) {
  if (!usage) return <span class="muted">not in force</span>;
  const { size_bytes: size, free_bytes: free } = usage;
  if (size === null || free === null) return <State kind="warn">not known</State>;
  const part = size === 0 ? 0 : (size - free) / size;
  const words = `${bytesOf(size - free, size)}, ${Math.floor(100 * part)} %`;
  return part < NEARLY_FULL ? words : <State kind="warn">{words}</State>;
}

/** What can still be written. */
export const Free = ({ of: usage }: { of: Usage | undefined }) =>
  usage?.free_bytes == null ? <span class="muted">not known</span> : byteWords(usage.free_bytes);

type Host = StorageStatus['hosts'][number];

const MINUTE = 60;
const ago = (seconds: number): string =>
  seconds < 2 * MINUTE ? `${seconds} s ago` : `${Math.floor(seconds / MINUTE)} min ago`;

/** A lease is of NFS 4.1; over NFS 3 a connection is all that tells. */
function Seen({ of: { version, renewed_seconds, connected_to } }: { of: Host }) {
  const connected = connected_to.length > 0;
  if (renewed_seconds !== null) return <>lease renewed {ago(renewed_seconds)}</>;
  if (version === '3' && !connected) return <span class="muted">mounted at some time, not connected now</span>;
  return <>{connected ? 'connected now' : 'not connected'}</>;
}

const COLUMNS: readonly [Column<Host>, ...Column<Host>[]] = [
  { key: 'address', label: 'Host', look: 'code', cell: ({ address }) => address },
  { key: 'name', label: 'Name', look: 'code', cell: ({ name }) => name ?? '' },
  { key: 'version', label: 'NFS', cell: ({ version }) => version ?? <span class="muted">not told</span> },
  { key: 'seen', label: 'Seen', look: 'nowrap', cell: (host) => <Seen of={host} /> },
  { key: 'files', label: 'Open files', look: 'number', cell: ({ open_files }) => open_files ?? '' },
  { key: 'at', label: 'Connected to', look: 'code', cell: ({ connected_to }) => <Codes items={connected_to} /> },
];
const DATASTORES: Column<Host> = {
  key: 'datastores',
  label: 'Datastores',
  cell: ({ datastores }) => datastores.join(', ') || <span class="muted">none that it may mount</span>,
};

/** `all`: with the datastores of each. */
export function HostsTable({ hosts, all }: { hosts: readonly Host[]; all: boolean }) {
  return (
    <DataTable
      caption="Hosts that use storage now, by address"
      dense
      columns={all ? [...COLUMNS, DATASTORES] : COLUMNS}
      rows={hosts}
      rowKey={({ address, version }) => `${address} ${version}`}
      empty="No host is seen."
    />
  );
}

/** What the table can tell, in a sentence. */
export const HostsNote = ({ tells_clients }: Pick<StorageStatus, 'tells_clients'>) => (
  <p class="muted">
    {tells_clients
      ? 'Over NFS 4.1 a server is not told which datastore a host has mounted: those are named that it may mount where it is connected. Over NFS 3 a host that did not unmount stays listed.'
      : 'This server tells who is connected, and neither versions nor leases.'}
  </p>
);
