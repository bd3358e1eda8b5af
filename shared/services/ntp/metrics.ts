// Numbers of the time service: how far its clock is from the time, and what it was asked (chronyc(1), "serverstats").
import type { Host } from '../../ground/machine/host.ts';
import type { Family } from '../../ground/metrics/exposition.ts';
import { parseServerstats, type ServerStats } from './chronyc-output.ts';
import { chronyc } from './files.ts';
import { ntpStatus } from './status.ts';

/** Empty where the time service does not run or can't be asked. Runs four programs at most, of some milliseconds each. */
export async function ntpMetrics(host: Host): Promise<Family[]> {
  const { running, clock, sources } = await ntpStatus(host);
  if (!running || clock === null) return [];
  const stats = await chronyc(host, ['serverstats']);
  const counted = stats.code === 0 ? parseServerstats(stats.stdout) : null;
  const usable = sources?.filter(({ state }) => state === 'selected' || state === 'combined').length ?? 0;
  return [
    {
      name: 'groundcrew_ntp_synchronised',
      type: 'gauge',
      help: 'Whether the clock follows a time source: 1 or 0.',
      samples: [{ value: clock.synchronised ? 1 : 0 }],
    },
    {
      name: 'groundcrew_ntp_offset_seconds',
      type: 'gauge',
      help: 'By how much the clock is still being corrected.',
      samples: clock.offset_seconds === null ? [] : [{ value: clock.offset_seconds }],
    },
    {
      name: 'groundcrew_ntp_sources',
      type: 'gauge',
      help: 'Time sources that the clock follows or counts.',
      samples: [{ value: usable }],
    },
    {
      name: 'groundcrew_ntp_configured_sources',
      type: 'gauge',
      help: 'Time sources that are in force.',
      samples: [{ value: sources?.length ?? 0 }],
    },
    ...(counted ? servedOf(counted) : []),
  ];
}

const servedOf = ({ ntp_packets, ntp_dropped, nts_connections, nts_packets }: ServerStats): Family[] => [
  {
    name: 'groundcrew_ntp_requests',
    type: 'counter',
    help: 'NTP requests received since chronyd started.',
    samples: [{ value: ntp_packets }],
  },
  {
    name: 'groundcrew_ntp_requests_dropped',
    type: 'counter',
    help: 'Of these, requests dropped by its rate limit.',
    samples: [{ value: ntp_dropped }],
  },
  {
    name: 'groundcrew_nts_requests',
    type: 'counter',
    help: 'NTS since chronyd started: key exchanges, and NTP requests that were authenticated.',
    samples: [
      { labels: { kind: 'key_exchange' }, value: nts_connections },
      { labels: { kind: 'authenticated' }, value: nts_packets },
    ],
  },
];
