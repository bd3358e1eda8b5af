// What the check makes of answers: an installer's judgement of names, and what answers at addresses that are to be given.
import { describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { Answered } from '../../../../shared/services/dns-dhcp/dns-question.ts';
import { answeringAt, neighboursOf, saidAt } from '../../../../shared/vcf/names/answering.ts';
import { type Asked, judgeAnswers } from '../../../../shared/vcf/names/installer-view.ts';

describe('what an installer makes of an answer', () => {
  const asked: Asked = {
    component: 'vc01',
    label: 'vCenter',
    fqdn: 'vc01.lab.test',
    type: 'A',
    address: '10.0.0.20',
    reverse_name: '20.0.0.10.in-addr.arpa',
  };
  const answered = (question: string, answers: string[], part: Partial<Answered> = {}): Answered => ({
    server: '10.0.0.2',
    question,
    rcode: 'NOERROR',
    answers,
    error: null,
    ...part,
  });
  const forward = (answers: string[], part = {}) => answered('vc01.lab.test/A', answers, part);
  const reverse = (answers: string[], part = {}) => answered('20.0.0.10.in-addr.arpa/PTR', answers, part);
  const GOOD = reverse(['vc01.lab.test']);
  const CASES: [string, Answered[], RegExp][] = [
    ['both as saved', [forward(['10.0.0.20']), GOOD], /^$/],
    ['no such name', [forward([], { rcode: 'NXDOMAIN' }), GOOD], /NXDOMAIN/],
    ['another address', [forward(['10.0.0.21']), GOOD], /answered with 10\.0\.0\.21/],
    ['a second address', [forward(['10.0.0.20', '10.9.9.9']), GOOD], /another address besides: 10\.9\.9\.9/],
    ['no reverse record', [forward(['10.0.0.20']), reverse([], { rcode: 'NXDOMAIN' })], /no reverse record/],
    ['two reverse records', [forward(['10.0.0.20']), reverse(['vc01.lab.test', 'old.lab.test'])], /2 reverse records/],
    ['a reverse record in upper case', [forward(['10.0.0.20']), reverse(['VC01.lab.test'])], /names VC01\.lab\.test/],
    ['silence', [], /No answer: nothing came back/],
    ['no answer in time', [forward([], { rcode: null, error: 'no answer in time' }), GOOD], /no answer in time/],
  ];
  test.each(CASES)('%s', (_what, answers, fault) => {
    expect(judgeAnswers([asked], answers)[0]!.fault).toMatch(fault);
  });
});

describe('what answers at an address', () => {
  test('is told by a neighbour’s link address, by a refusal, or not at all', () => {
    const links = neighboursOf(
      JSON.stringify([
        { dst: '10.0.0.20', dev: 'lab0', lladdr: '00:50:56:00:00:20', state: ['REACHABLE'] },
        { dst: '10.0.0.21', dev: 'lab0', state: ['FAILED'] },
        { dst: '10.0.0.22', dev: 'lab0', lladdr: '00:50:56:00:00:22', state: ['FAILED'] },
      ]),
    );
    const refused: Answered = {
      server: '10.1.0.5',
      question: '',
      rcode: null,
      answers: [],
      error: 'recvmsg ECONNREFUSED',
    };
    expect(
      ['10.0.0.20', '10.0.0.21', '10.0.0.22', '10.1.0.5'].map((address) => saidAt(address, [refused], links)),
    ).toEqual(['00:50:56:00:00:20 answers there', null, null, 'a machine answers there']);
    expect(neighboursOf('no such program')).toEqual(new Map());
  });
  test('nobody is asked where nothing is enforced', async () => {
    const host = { enforces: false, exec: () => Promise.reject(new Error('was run')) } as unknown as Host;
    expect(await answeringAt(host, [{ address: '10.0.0.20' }])).toEqual([]);
  });
});
