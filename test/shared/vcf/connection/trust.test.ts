// The ticket of a confirmed certificate: for whom it holds, for how long, and that none is made without its audit event.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Problem } from '../../../../shared/ground/problems.ts';
import type { Keys } from '../../../../shared/ground/sealing/keys.ts';
import { type Actor, NOBODY } from '../../../../shared/kernel/access/actor.ts';
import type { AuditEvent } from '../../../../shared/kernel/audit/audit.ts';
import { grantTrust, requireTrust, type SeenTarget, TRUST_SECONDS } from '../../../../shared/vcf/connection/trust.ts';

const keysOf = (root: string): Keys => ({
  hmac: (purpose, message) => createHmac('sha256', `${root}/${purpose}`).update(message).digest(),
});
const keys = keysOf('root');
const START = Date.parse('2026-11-21T12:00:00.000Z');
const at = (seconds: number, own: Keys = keys) => ({
  keys: own,
  clock: { now: () => new Date(START + seconds * 1000) },
});

const SHA = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16).toUpperCase()).join(':');
const OTHER = SHA.replace('A0', 'FF');
const seen: SeenTarget = {
  host: 'vc01.lab.example',
  port: 443,
  address: '10.10.0.9',
  certificate: { sha256: SHA, subject: 'CN=vc01.lab.example' },
};
const ada: Actor = { ...NOBODY, kind: 'session', user_id: 'user_ada', name: 'ada', credential_id: 'session-1' };

function granted(actor = ada, what = seen): { ticket: string; events: AuditEvent[] } {
  const events: AuditEvent[] = [];
  const ticket = grantTrust(at(0), actor, (event) => void events.push(event), what, what.certificate.sha256);
  return { ticket, events };
}

function refusal(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was refused');
}

const TRUSTED = { host: 'vc01.lab.example', port: 443, address: '10.10.0.9', sha256: SHA };

describe('a ticket', () => {
  test('says what was confirmed, and its making is audited', () => {
    const { ticket, events } = granted();
    expect(ticket).toMatch(/^trust1\.[\w-]+\.[\w-]{43}$/);
    expect(requireTrust(at(1), ada, ticket, seen)).toEqual(TRUSTED);
    expect(requireTrust(at(TRUST_SECONDS - 1), ada, ticket)).toEqual(TRUSTED);
    expect(events).toEqual([
      {
        action: 'remote.target.trust',
        resource_type: 'remote_target',
        resource_id: null,
        detail: {
          server: 'vc01.lab.example',
          address: '10.10.0.9',
          sha256: SHA,
          subject: 'CN=vc01.lab.example',
          expires_at: '2026-11-21T12:30:00.000Z',
        },
      },
    ]);
  });

  test('takes the fingerprint as it was shown, in either case', () => {
    expect(() => grantTrust(at(0), ada, () => undefined, seen, ` ${SHA.toLowerCase()} `)).not.toThrow();
  });

  test.each(['', 'x', OTHER, SHA.slice(3), SHA.replaceAll(':', ''), '<script>'])(
    'is not made where %j was confirmed and the machine shows something else',
    (confirmed) => {
      const events: AuditEvent[] = [];
      const refused = refusal(() => grantTrust(at(0), ada, (event) => void events.push(event), seen, confirmed));
      expect(refused.code).toBe('certificate_changed');
      expect(refused.message).not.toContain('script');
      expect(events).toEqual([]);
    },
  );

  test('is not made for nobody', () => {
    expect(() => granted(NOBODY)).toThrow(/signed in/);
    expect(() => granted({ ...ada, credential_id: null })).toThrow(/signed in/);
  });
});

describe('a ticket is missing', () => {
  const { ticket } = granted();
  const [, payload = '', signature = ''] = ticket.split('.');
  const rewritten = (change: object, own: Keys = keysOf('another root')) => {
    const body = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change };
    const text = `trust1.${Buffer.from(JSON.stringify(body)).toString('base64url')}`;
    return `${text}.${own.hmac('remote-trust', text).toString('base64url')}`;
  };
  const unsigned = (change: object) => `${rewritten(change).split('.').slice(0, 2).join('.')}.${signature}`;

  test.each<[what: string, ticket: string | null | undefined]>([
    ['when there is none', undefined],
    ['when it is null', null],
    ['when it is empty', ''],
    ['when it is dots', '..'],
    ['when it has its name only', 'trust1..'],
    ['without a signature', `trust1.${payload}.`],
    ['without its end', ticket.slice(0, -1)],
    ['with an end of its own', `${ticket}A`],
    ['with padding', `${ticket}=`],
    ['with a blank before it', ` ${ticket}`],
    ['of another version', ticket.replace('trust1', 'trust2')],
    ['with another address', unsigned({ address: '127.0.0.1' })],
    ['with another host', unsigned({ host: 'evil.example' })],
    ['with another fingerprint', unsigned({ sha256: OTHER })],
    ['with a later end', unsigned({ expires_at: '2999-01-01T00:00:00.000Z' })],
    ['under a key of another appliance', rewritten({})],
    [
      'with the signature of another purpose',
      `trust1.${payload}.${keys.hmac('boot-code', `trust1.${payload}`).toString('base64url')}`,
    ],
    [
      'with a signature of the payload alone',
      `trust1.${payload}.${keys.hmac('remote-trust', payload).toString('base64url')}`,
    ],
    ['with more members', rewritten({ role: 'admin' }, keys)],
    ['with members that are no text', rewritten({ address: 5 }, keys)],
    ['that is endless', `trust1.${'A'.repeat(5000)}.${signature}`],
    ['with two signatures', `${ticket}.${signature}`],
  ])('%s', (_what, given) => {
    expect(refusal(() => requireTrust(at(1), ada, given, seen))).toMatchObject({ code: 'trust_missing', status: 409 });
  });

  test.each<[what: string, seconds: number, actor: Actor, target: { host: string; port: number }, says: RegExp]>([
    ['for another user', 1, { ...ada, user_id: 'user_eve' }, seen, /somebody else/],
    ['for another session', 1, { ...ada, credential_id: 'session-2' }, seen, /signed in again/],
    ['for a token of the same user', 1, { ...ada, kind: 'token', credential_id: 'token_1' }, seen, /somebody else/],
    ['for nobody', 1, NOBODY, seen, /somebody else/],
    ['at its end', TRUST_SECONDS, ada, seen, /more than 30 minutes/],
    ['long after it', TRUST_SECONDS * 100, ada, seen, /more than 30 minutes/],
    ['once the clock was set back by a day', -86_400, ada, seen, /before the clock was set/],
    ['for another host', 1, ada, { host: 'vc02.lab.example', port: 443 }, /vc01\.lab\.example, not of this machine/],
    ['for another port', 1, ada, { host: 'vc01.lab.example', port: 5480 }, /not of this machine/],
    ['for the address instead of the name', 1, ada, { host: '10.10.0.9', port: 443 }, /not of this machine/],
  ])('%s', (_what, seconds, actor, target, says) => {
    const refused = refusal(() => requireTrust(at(seconds), actor, ticket, target));
    expect(refused).toMatchObject({ code: 'trust_missing', message: expect.stringMatching(says) });
    expect(refused.message).toMatch(/Go back to the TLS step/);
  });

  test('whichever one of its characters is another one', () => {
    for (let place = 0; place < ticket.length; place++) {
      const changed = `${ticket.slice(0, place)}${ticket[place] === 'A' ? 'B' : 'A'}${ticket.slice(place + 1)}`;
      expect(refusal(() => requireTrust(at(1), ada, changed)).code).toBe('trust_missing');
    }
  });
});
