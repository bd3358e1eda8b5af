// What VCF Automation refuses, as problems that say what to do. Its own words are in them, without anything that was sent.
import { type ErrorCode, Problem } from '../../ground/problems.ts';
import { wordsOf } from '../vcf-api/answers.ts';
import type { Reply } from '../vcf-api/transport.ts';

export class AutomationFault extends Problem {
  constructor(code: ErrorCode, detail: string) {
    super(code, detail);
    this.name = 'AutomationFault';
  }
}

type Told = readonly [code: ErrorCode, says: (what: string) => string, unblock: string];

const LATER = 'Its services may still be starting: try again in some minutes.';
const BUSY: Told = ['remote_not_ready', (what) => `VCF Automation can’t answer for ${what} at the moment.`, LATER];
const SAID: Readonly<Record<number, Told>> = {
  401: [
    'remote_login_refused',
    (what) => `VCF Automation does not accept the login when asked for ${what}.`,
    'Check user, organization and password.',
  ],
  403: [
    'remote_refused',
    (what) => `The account may not use ${what}.`,
    'Use an account with the role Organization Administrator.',
  ],
  404: ['remote_refused', (what) => `VCF Automation does not have ${what}.`, 'Check that its release is 9.0 or 9.1.'],
  408: BUSY,
  429: BUSY,
};

function toldBy(status: number): Told {
  const known = SAID[status];
  if (known) return known;
  if (status >= 500) return BUSY;
  if (status >= 300 && status < 400)
    return [
      'remote_answer_unusable',
      (what) => `The server sends the request for ${what} elsewhere.`,
      'Check the server: that is not followed.',
    ];
  return [
    'remote_refused',
    (what) => `VCF Automation refused ${what} (status ${status}).`,
    'Correct what it names, then try again.',
  ];
}

/** @param what the subject of the request, in a sentence: `the LDAP settings` */
export function automationFault(answer: Reply, what: string): AutomationFault {
  const [code, says, unblock] = toldBy(answer.status);
  const { message } = wordsOf(answer);
  const words = message === null ? [] : [`It says: ${/[.!?]$/.test(message) ? message : `${message}.`}`];
  return new AutomationFault(code, [says(what), ...words, unblock].join(' '));
}
