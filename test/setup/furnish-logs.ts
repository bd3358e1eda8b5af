// Lines as a busy appliance logs them.
import type { House } from './house.ts';

const LINES: readonly [seconds: number, level: string, message: string, facts: Record<string, unknown>][] = [
  [
    4,
    'INFO',
    'request',
    { request_id: 'req_4k2m9xw1', operation: 'createDnsRecord', method: 'POST', status: 201, actor: 'admin' },
  ],
  [
    9,
    'INFO',
    'request',
    { request_id: 'req_7p0q3rtz', operation: 'updateVlan', method: 'PATCH', status: 422, actor: 'olga' },
  ],
  [
    31,
    'WARN',
    'a source of metrics could not be read',
    { source: 'ntp', failure: { message: 'no answer within 20 s' } },
  ],
  [64, 'INFO', 'job ended', { job_id: 'job_8c1vd2', kind: 'apply', state: 'succeeded', duration_ms: 2310 }],
  [
    95,
    'ERROR',
    'a copy of an archive failed',
    { target: 'backup01', failure: { message: 'connect ECONNREFUSED 192.0.2.44:22' } },
  ],
];

export function furnishLogs({ services }: Pick<House, 'services'>): void {
  const now = services.clock.now().getTime();
  for (let round = 30; round >= 0; round--) {
    for (const [seconds, level, message, facts] of LINES.toReversed()) {
      const line = { level, message, service: 'groundcrew', version: '0.1.0', ...facts };
      services.log_tail?.add(JSON.stringify(line), now - 1000 * (seconds + 180 * round));
    }
  }
}
