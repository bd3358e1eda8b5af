// What is said of clocks and time servers before a deployment, over made answers.
import { describe, expect, test } from '@jest/globals';
import { parseCidr } from '../../../../../shared/ground/addresses/address.ts';
import type { Answered } from '../../../../../shared/services/dns-dhcp/dns-question.ts';
import { checkClock, checkNtp } from '../../../../../shared/vcf/deployment/checks/time.ts';
import { gateOf } from '../../../../../shared/vcf/deployment/gate.ts';
import { Looks } from '../../../../../shared/vcf/deployment/looks.ts';

test.each([
  [0, 'ok'],
  [59, 'ok'],
  [-60, 'ok'],
  [61, 'warning'],
  [-300, 'warning'],
  [301, 'refused'],
  [-3600, 'refused'],
] as const)('a clock that is %d seconds off: %s', (seconds, state) => {
  const ours = new Date('2026-03-02T10:00:00Z');
  expect(checkClock(new Date(ours.getTime() + seconds * 1000), ours).state).toBe(state);
});

/** Name server → question → answers, or its code; what it does not have is unknown there. */
type Servers = Record<string, Record<string, string[] | string> | null>;

/** @param mute time servers that do not answer */
function lab(servers: Servers, mute: readonly string[] = []) {
  const asked = { dns: [] as string[], time: [] as string[] };
  const answerOf = (server: string, question: string): Answered => {
    const known = servers[server] ?? null;
    const said = known?.[question] ?? 'NXDOMAIN';
    const rcode = typeof said === 'string' ? said : 'NOERROR';
    const answers = typeof said === 'string' ? [] : said;
    return { server, question, rcode: known && rcode, answers, error: known ? null : 'no answer in time' };
  };
  const questions = {
    dns: async (server: string, each: readonly string[]) => {
      asked.dns.push(`${server}: ${each.join(' ')}`);
      return each.map((question) => answerOf(server, question));
    },
    time: async (each: readonly string[]) => {
      asked.time.push(...each);
      return each.map((server) => ({ server, answered: !mute.includes(server) }));
    },
  };
  const gate = gateOf({ own: [parseCidr('10.20.0.1/24')!], ports: [], allowed: [] });
  return { questions, gate, looks: new Looks(), asked };
}

const look = async (made: ReturnType<typeof lab>, ntp_servers: string[], name_servers: string[] = ['10.20.0.2']) =>
  (await checkNtp(made, { ntp_servers, name_servers }))[0];

describe('time servers', () => {
  const NTP = { 'ntp.lab.test/A': ['10.20.0.3'] };

  test('no time server is nothing to look at', async () => {
    expect(await look(lab({}), [])).toBeUndefined();
  });

  test('a name is resolved at the name servers of the new machine, and its address is asked', async () => {
    const made = lab({ '10.20.0.2': NTP });
    expect(await look(made, ['NTP.lab.test.', '10.20.0.4'])).toMatchObject({
      ...{ state: 'ok', said: 'NTP.lab.test. (10.20.0.3), 10.20.0.4 answer.', way_out: '' },
    });
    expect(made.asked).toEqual({
      dns: ['10.20.0.2: ntp.lab.test/A ntp.lab.test/AAAA'],
      time: ['10.20.0.3', '10.20.0.4'],
    });
    expect(made.looks.said).toEqual({ name_servers: ['10.20.0.2'], time_servers: ['10.20.0.3', '10.20.0.4'] });
  });

  test('what stands for another name, and IPv6 alone, are resolved too', async () => {
    const aliased = { 'a.lab.test/A': ['ntp.lab.test', '10.20.0.3'], 'b.lab.test/AAAA': ['FD00:20::3'] };
    const made = lab({ '10.20.0.2': aliased });
    const said = 'a.lab.test (10.20.0.3), b.lab.test (fd00:20::3) answer.';
    expect(await look(made, ['a.lab.test', 'b.lab.test'])).toMatchObject({ state: 'ok', said });
  });

  test('two names of one machine are one question', async () => {
    const made = lab({ '10.20.0.2': { ...NTP, 'ntp2.lab.test/A': ['10.20.0.3'] } }, ['10.20.0.3']);
    expect(await look(made, ['ntp.lab.test', 'ntp2.lab.test'])).toMatchObject({
      state: 'warning',
      said: 'ntp.lab.test (10.20.0.3), ntp2.lab.test (10.20.0.3) did not answer this appliance.',
      way_out: 'Check the addresses of the time servers.',
    });
    expect(made.asked.time).toEqual(['10.20.0.3']);
  });

  test('a name that has no address is a warning, and the next name server is not asked for it', async () => {
    const made = lab({ '10.20.0.2': {}, '10.20.0.5': NTP });
    expect(await look(made, ['ntp.lab.test'], ['10.20.0.2', '10.20.0.5'])).toMatchObject({
      state: 'warning',
      said: '10.20.0.2 has no address of ntp.lab.test.',
      way_out: expect.stringMatching(/^Check the names of the time servers/),
    });
    expect(made.asked).toEqual({ dns: ['10.20.0.2: ntp.lab.test/A ntp.lab.test/AAAA'], time: [] });
  });

  test('a name server that is silent, or fails, leaves it to the next one', async () => {
    const failing = { 'ntp.lab.test/A': 'SERVFAIL', 'ntp.lab.test/AAAA': 'SERVFAIL', 'b.lab.test/A': ['10.20.0.7'] };
    const made = lab({ '10.20.0.2': failing, '10.20.0.5': null, '10.20.0.6': NTP });
    const name_servers = ['10.20.0.2', '10.20.0.5', '10.20.0.6'];
    expect(await look(made, ['ntp.lab.test', 'b.lab.test'], name_servers)).toMatchObject({
      ...{ state: 'ok', said: 'ntp.lab.test (10.20.0.3), b.lab.test (10.20.0.7) answer.' },
    });
    const own = 'ntp.lab.test/A ntp.lab.test/AAAA';
    expect(made.asked.dns).toEqual([
      `10.20.0.2: ${own} b.lab.test/A b.lab.test/AAAA`,
      `10.20.0.5: ${own}`,
      `10.20.0.6: ${own}`,
    ]);
  });

  test('when all of three are silent it is a warning, and a fourth is not asked', async () => {
    const made = lab({ '10.20.0.9': NTP });
    const name_servers = ['10.20.0.5', '10.20.0.6', '10.20.0.7', '10.20.0.9'];
    expect(await look(made, ['ntp.lab.test'], name_servers)).toMatchObject({
      state: 'warning',
      said: '10.20.0.5, 10.20.0.6, 10.20.0.7 did not tell this appliance the address of ntp.lab.test.',
    });
    expect(made.asked.dns).toHaveLength(3);
  });

  test.each([
    ['no name server was typed', ['ntp.lab.test'], [], 'ntp.lab.test'],
    ['none may be asked', ['ntp.lab.test'], ['169.254.169.254'], 'ntp.lab.test'],
    ['it is no whole name', ['ntp', 'http://ntp.lab.test/A'], ['10.20.0.2'], 'ntp, http://ntp.lab.test/A'],
  ])('nobody is asked when %s', async (_name, ntp_servers, name_servers, named) => {
    const made = lab({ '10.20.0.2': NTP });
    const said = `Not asked: ${named}, which the new machine resolves itself.`;
    expect(await look(made, ntp_servers, name_servers)).toMatchObject({ state: 'ok', said });
    expect([made.asked, made.looks.said]).toEqual([{ dns: [], time: [] }, {}]);
  });

  test('a name leads to no address that may not be asked', async () => {
    const made = lab({ '10.20.0.2': { 'ntp.lab.test/A': ['169.254.169.254'] } });
    expect(await look(made, ['ntp.lab.test'])).toMatchObject({
      state: 'warning',
      said: expect.stringMatching(/^ntp\.lab\.test \(169\.254\.169\.254\): No connection is made to/),
    });
    expect(made.asked.time).toEqual([]);
  });

  test('four are looked at, whatever they are; each fault is said with its way out', async () => {
    const made = lab({ '10.20.0.2': NTP }, ['10.20.0.8']);
    const many = ['ntp.lab.test', '10.20.0.8', 'gone.lab.test', 'ntp', '10.20.0.4', 'e.lab.test'];
    expect(await look(made, many)).toMatchObject({
      state: 'warning',
      said: '10.20.0.8 did not answer this appliance. 10.20.0.2 has no address of gone.lab.test. Not asked: ntp, which the new machine resolves itself. 2 more were not looked at.',
      way_out: expect.stringMatching(/^Check the addresses of the time servers\. Check the names/),
    });
    expect(made.asked.time).toEqual(['10.20.0.3', '10.20.0.8']);
  });
});
