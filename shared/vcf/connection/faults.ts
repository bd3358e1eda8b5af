// What goes wrong on the way to a remote machine, as problems that say what to do. None of them carries a header, a body
// or what the other side sent.
import { Problem } from '../../ground/problems.ts';
import { serverText, type Target } from './target.ts';

/** How far a connection had come. */
export type Stage = 'connect' | 'handshake' | 'answer';

type Code =
  | 'remote_unreachable'
  | 'remote_timeout'
  | 'remote_not_tls'
  | 'remote_tls_too_old'
  | 'remote_answer_unusable';
type Said = readonly [code: Code, what: string, unblock: string];

const OFF = 'Check that it is switched on, and that no firewall is in between.';
const NOT_TLS = [
  'remote_not_tls',
  'answers there, but does not speak TLS',
  'Check the port: an API answers on 443 unless it was moved, and a mail server on 587 expects STARTTLS.',
] as const;
const TOO_OLD = [
  'remote_tls_too_old',
  'speaks no TLS 1.2 or newer',
  'Older versions are not accepted; enable TLS 1.2 on the machine.',
] as const;
const WEAK = [
  'remote_tls_too_old',
  'offers only keys or ciphers that are too weak, or asks for a client certificate',
  'Replace its certificate by one with an RSA key of 2048 bits or more, or with an elliptic curve.',
] as const;
const BROKE_OFF = [
  'remote_not_tls',
  'broke off TLS',
  'Check the host name: the machine may answer to another one.',
] as const;
const BROKEN = [
  'remote_answer_unusable',
  'gave an answer that is not HTTP',
  'Check that the port is that of the API.',
] as const;

/** By the error's code; the longest prefix that fits counts. */
const BY_CODE: Readonly<Record<string, Said>> = {
  ECONNREFUSED: ['remote_unreachable', 'refused the connection', 'Check the port, and that the machine has started.'],
  EHOSTUNREACH: ['remote_unreachable', 'cannot be reached', OFF],
  ENETUNREACH: ['remote_unreachable', 'cannot be reached: there is no route to its network', 'Check the gateways.'],
  EADDRNOTAVAIL: ['remote_unreachable', 'cannot be reached', OFF],
  EACCES: ['remote_unreachable', 'cannot be reached: this machine does not permit it', 'Check its own firewall.'],
  EPERM: ['remote_unreachable', 'cannot be reached: this machine does not permit it', 'Check its own firewall.'],
  ETIMEDOUT: ['remote_timeout', 'did not answer', OFF],
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: TOO_OLD,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: TOO_OLD,
  ERR_SSL_UNKNOWN_PROTOCOL: TOO_OLD,
  ERR_SSL_VERSION_TOO_LOW: TOO_OLD,
  ERR_SSL_EE_KEY_TOO_SMALL: WEAK,
  ERR_SSL_DH_KEY_TOO_SMALL: WEAK,
  ERR_SSL_CA_MD_TOO_WEAK: WEAK,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: WEAK,
  ERR_SSL_: BROKE_OFF,
  HPE_HEADER_OVERFLOW: ['remote_answer_unusable', 'sent headers beyond any measure', 'Try again, or restart it.'],
  HPE_: BROKEN,
};

const ENDED: Readonly<Record<Stage, Said>> = {
  connect: ['remote_unreachable', 'ended the connection at once', OFF],
  handshake: ['remote_not_tls', 'ended the connection before TLS was set up', NOT_TLS[2]],
  answer: ['remote_unreachable', 'ended the connection before it had answered', 'Try again once it has started.'],
};

const LATE: Readonly<Record<Stage, string>> = {
  connect: 'did not take the connection',
  handshake: 'took the connection, but did not set up TLS',
  answer: 'did not answer',
};

const problem = (target: Target, [code, what, unblock]: Said): Problem =>
  new Problem(code, `${serverText(target)} ${what}. ${unblock}`);

/** The problem of an error of a socket, of OpenSSL or of the HTTP parser; its own text is dropped. */
export function connectionFault(error: unknown, target: Target, stage: Stage): Problem {
  if (error instanceof Problem) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = Object.keys(BY_CODE)
    .filter((prefix) => code === prefix || (prefix.endsWith('_') && code.startsWith(prefix)))
    .sort((a, b) => b.length - a.length)[0];
  return problem(target, known === undefined ? ENDED[stage] : BY_CODE[known]!);
}

export function tooLate(target: Target, stage: Stage, milliseconds: number): Problem {
  const what = `${LATE[stage]} within ${Math.ceil(milliseconds / 1000)} seconds`;
  return problem(target, ['remote_timeout', what, stage === 'answer' ? 'Try again later.' : OFF]);
}

export function unusable(target: Target, what: string): Problem {
  return problem(target, ['remote_answer_unusable', what, 'Check that it is the machine that is meant.']);
}

/** The machine shows another certificate than the confirmed one; nothing was sent to it. */
export function certificateChanged(target: Target, confirmed: string, shown: string | null): Problem {
  const now = shown === null ? 'no certificate' : `a certificate with SHA-256 ${shown}`;
  return new Problem(
    'certificate_changed',
    `${serverText(target)} now shows ${now}; the confirmed one has SHA-256 ${confirmed}. Nothing was sent to it. Find out why before you confirm the new one.`,
  );
}

/** A machine that a confirmed one names shows a certificate that nobody vouches for; nothing was sent to it. */
export function notVouched(target: Target): Problem {
  return new Problem(
    'certificate_changed',
    `${serverText(target)} shows a certificate that is not the confirmed one, and that no authority known to this appliance issued for this name. Nothing was sent to it. Give it the same certificate, or one of a public authority.`,
  );
}
