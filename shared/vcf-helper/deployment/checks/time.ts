// Clocks: that of the target, which tickets and certificates hang on, and the time servers of the new machine. Pure but for
// the questions.
import { parseAddress } from '../../../network/address.ts';
import type { Addressing } from '../addressing.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import { divided, type Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { Questions } from '../shell.ts';

const CLOCK = ['clock', 'Clock of the target'] as const;
const NTP = ['ntp', 'Time servers'] as const;
const WARN_SECONDS = 60;
const REFUSE_SECONDS = 300;
const MOST_SERVERS = 4;
const NTP_PORT = 123;

export interface Asking {
  questions: Pick<Questions, 'time'>;
  looks: Looks;
  gate: Pick<Gate, 'refusal'>;
}

/** @param theirs as the target said it at `ours` */
export function checkClock(theirs: Date, ours: Date): Check {
  const seconds = Math.round((theirs.getTime() - ours.getTime()) / 1000);
  const off = Math.abs(seconds);
  const said = `It is ${off} ${off === 1 ? 'second' : 'seconds'} ${seconds < 0 ? 'behind' : 'ahead of'} this appliance.`;
  const way_out = 'Set both by the same time servers.';
  if (off > REFUSE_SECONDS) return refused(CLOCK, said, way_out);
  return off > WARN_SECONDS ? warning(CLOCK, said, way_out) : ok(CLOCK, off < 2 ? 'The same as ours.' : said);
}

/** Servers by address only: a name is resolved by the new machine, at other name servers. */
export async function checkNtp(
  { questions: { time }, looks, gate }: Asking,
  { ntp_servers }: Addressing,
): Promise<Check[]> {
  if (ntp_servers.length === 0) return [];
  const addresses = ntp_servers.flatMap((text) => parseAddress(text)?.text ?? []).slice(0, MOST_SERVERS);
  const names = ntp_servers.filter((text) => parseAddress(text) === null);
  const left = names.length === 0 ? '' : `Not asked: ${names.join(', ')}, which the new machine resolves itself.`;
  if (addresses.length === 0) return [ok(NTP, left)];
  const { open, faults } = divided(gate, addresses, NTP_PORT);
  looks.asked('time_servers', open);
  const answers = open.length === 0 ? [] : await time(open);
  const silent = answers.filter(({ answered }) => !answered).map(({ server }) => server);
  if (silent.length === 0 && faults.length === 0) return [ok(NTP, `${addresses.join(', ')} answer. ${left}`.trim())];
  const said = [
    ...(silent.length > 0 ? [`${silent.join(', ')} did not answer this appliance.`] : []),
    ...faults,
    ...(left === '' ? [] : [left]),
  ];
  return [warning(NTP, said.join(' '), 'Check the addresses of the time servers.')];
}
