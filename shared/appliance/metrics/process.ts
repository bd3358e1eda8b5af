// Numbers of this process and of its disks, by the names that every Prometheus dashboard knows.
import { readdir, statfs } from 'node:fs/promises';
import { type Family, gauge } from '../../ground/metrics/exposition.ts';

export async function processMetrics(): Promise<Family[]> {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const open = await readdir('/proc/self/fd').then(
    (all) => [gauge('process_open_fds', 'Files and connections that the process has open.', all.length)],
    () => [],
  );
  return [
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      help: 'Processor time of the process since it started.',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('nodejs_heap_used_bytes', 'Memory of its objects.', heapUsed),
    gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', startedAt()),
    ...open,
  ];
}

/** Rounded, so that it is the same in every answer. */
const startedAt = (): number => Math.round(performance.timeOrigin / 1000);

/** `folders`: what it holds → its path. One that is not there is left out. */
export async function diskMetrics(folders: Readonly<Record<string, string>>): Promise<Family[]> {
  const found = await Promise.all(
    Object.entries(folders).map(async ([holds, path]) => {
      const disk = await statfs(path).catch(() => null);
      return disk ? [{ labels: { holds }, size: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize }] : [];
    }),
  );
  const disks = found.flat();
  return [
    {
      name: 'groundcrew_disk_size_bytes',
      type: 'gauge',
      help: 'Size of the file system that holds the data of the service, the depot, or a volume.',
      samples: disks.map(({ labels, size }) => ({ labels, value: size })),
    },
    {
      name: 'groundcrew_disk_free_bytes',
      type: 'gauge',
      help: 'Bytes of it that the service can use.',
      samples: disks.map(({ labels, free }) => ({ labels, value: free })),
    },
  ];
}
