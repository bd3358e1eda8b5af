// How an installer judges what a name server answers. Pure. It wants the address, and for the address one PTR record
// that is the name character by character: upper case, a second answer or none are refused.
import type { Answered } from '../../services/dns-dhcp/dns-question.ts';
import type { Check } from './schemas.ts';

export interface Asked {
  component: string;
  label: string;
  fqdn: string;
  type: 'A' | 'AAAA';
  address: string;
  reverse_name: string;
}

type Seen = Check['rows'][number]['forward'];
const SILENCE: Seen = { rcode: null, answers: [], error: 'nothing came back' };

export function judgeAnswers(asked: readonly Asked[], answered: readonly Answered[]): Check['rows'] {
  const byQuestion = new Map(answered.map((one) => [one.question, one]));
  const seen = (question: string): Seen => {
    const one = byQuestion.get(question);
    return one ? { rcode: one.rcode, answers: one.answers, error: one.error } : SILENCE;
  };
  const named = Map.groupBy(asked, ({ fqdn, type }) => `${fqdn}/${type}`);
  return asked.map(({ reverse_name, ...row }) => {
    const question = `${row.fqdn}/${row.type}`;
    const [forward, reverse] = [seen(question), seen(`${reverse_name}/PTR`)];
    const expected = named.get(question)!.map(({ address }) => address);
    const fault = forwardFault(forward, row.address, expected) ?? reverseFault(reverse, row.fqdn) ?? '';
    return { ...row, forward, reverse, fault };
  });
}

function forwardFault({ rcode, answers, error }: Seen, address: string, expected: readonly string[]): string | null {
  if (error !== null) return `No answer: ${error}.`;
  if (rcode !== 'NOERROR') return `The name is answered with ${rcode}.`;
  if (answers.length === 0) return 'The name has no such address.';
  if (!answers.includes(address)) return `The name is answered with ${answers.join(', ')}.`;
  const strange = answers.filter((answer) => !expected.includes(answer));
  return strange.length === 0 ? null : `The name has another address besides: ${strange.join(', ')}.`;
}

function reverseFault({ rcode, answers, error }: Seen, fqdn: string): string | null {
  if (error !== null) return `No reverse answer: ${error}.`;
  if (rcode !== 'NOERROR' || answers.length === 0) return 'The address has no reverse record.';
  if (answers.length > 1) return `The address has ${answers.length} reverse records; installers take one only.`;
  return answers[0] === fqdn ? null : `The reverse record names ${answers[0]}.`;
}
