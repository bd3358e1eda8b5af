// Clocks: that of the target, which tickets and certificates hang on, and the time servers of the new machine. Pure but
// for the questions.
import type { Addressing } from '../addressing.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import type { Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { Questions } from '../shell.ts';
import { type TimeServer, timeServers } from './time-servers.ts';

const CLOCK = ['clock', 'Clock of the target'] as const;
const NTP = ['ntp', 'Time servers'] as const;
const WARN_SECONDS = 60;
const REFUSE_SECONDS = 300;
const NTP_PORT = 123;
const WAY_ADDRESS = 'Check the addresses of the time servers.';
const WAY_NAME = 'Check the names of the time servers, and their records at the name servers.';

export interface Asking {
  questions: Pick<Questions, 'dns' | 'time'>;
  looks: Looks;
  gate: Pick<Gate, 'refusal'>;
}

/** @param theirs the target's clock at the time `ours` */
export function checkClock(theirs: Date, ours: Date): Check {
  const seconds = Math.round((theirs.getTime() - ours.getTime()) / 1000);
  const off = Math.abs(seconds);
  const said = `It is ${off} ${off === 1 ? 'second' : 'seconds'} ${seconds < 0 ? 'behind' : 'ahead of'} this appliance.`;
  const way_out = 'Set both by the same time servers.';
  if (off > REFUSE_SECONDS) return refused(CLOCK, said, way_out);
  return off > WARN_SECONDS ? warning(CLOCK, said, way_out) : ok(CLOCK, off < 2 ? 'The same as ours.' : said);
}

export async function checkNtp(
  asking: Asking,
  addressing: Pick<Addressing, 'ntp_servers' | 'name_servers'>,
): Promise<Check[]> {
  if (addressing.ntp_servers.length === 0) return [];
  const { questions, looks, gate } = asking;
  const servers = await timeServers(asking, addressing);
  const judged = servers.map((one) => ({
    ...one,
    refusal: one.address === null ? null : gate.refusal(one.address, NTP_PORT),
  }));
  const open = [...new Set(judged.flatMap(({ address, refusal }) => (refusal === null && address) || []))];
  looks.asked('time_servers', open);
  const answers = open.length === 0 ? [] : await questions.time(open);
  const mute = new Set(answers.flatMap(({ server, answered }) => (answered ? [] : server)));
  const silent = judged.filter(({ address }) => address !== null && mute.has(address));
  const faults = [
    ...(silent.length > 0 ? [`${listed(silent)} did not answer this appliance.`] : []),
    ...judged.flatMap(({ said, address, refusal }) => {
      if (refusal === null) return [];
      return said === address ? refusal : `${said}: ${refusal}`;
    }),
  ];
  const nameless = servers.flatMap(({ fault }) => fault ?? []);
  const unasked = servers.filter(({ address, fault }) => address === null && fault === null);
  const rest = addressing.ntp_servers.length - servers.length;
  const left = [
    ...(unasked.length > 0 ? [`Not asked: ${listed(unasked)}, which the new machine resolves itself.`] : []),
    ...(rest > 0 ? [`${rest} more were not looked at.`] : []),
  ];
  if (faults.length === 0 && nameless.length === 0) {
    const known = servers.filter(({ address }) => address !== null);
    return [ok(NTP, [...(known.length > 0 ? [`${listed(known)} answer.`] : []), ...left].join(' '))];
  }
  const ways = [...(faults.length > 0 ? [WAY_ADDRESS] : []), ...(nameless.length > 0 ? [WAY_NAME] : [])];
  return [warning(NTP, [...faults, ...nameless, ...left].join(' '), ways.join(' '))];
}

const listed = (servers: readonly TimeServer[]): string => servers.map(({ said }) => said).join(', ');
