// The client of the probe: its messages, what it asks, and what it makes of the answers.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DesiredDatastore } from '../../../../shared/services/storage/desired.ts';
import {
  decodeReply,
  encodeCall,
  NfsRefusal,
  nextRecord,
  XdrReader,
  XdrWriter,
} from '../../../../shared/services/storage/nfs-message.ts';
import { faultOf, questionsOf } from '../../../../shared/services/storage/probe.ts';

const LAB: DesiredDatastore = {
  id: 'ds_1',
  name: 'lab',
  mount_path: '/srv/datastores/v',
  path: 'lab',
  version: '4.1',
  interface: 'ens192',
  usable: true,
  addresses: ['10.0.0.5'],
  clients: ['10.0.0.0/24'],
  unserved: [],
};

describe('the probe', () => {
  const answered = { total: '1', available: '1', refused: null, error: null };
  const refused = { total: null, available: null, refused: 2, error: 'no such export' };
  const lost = { total: null, available: null, refused: null, error: 'connect ECONNREFUSED' };
  const questions = questionsOf([LAB]);

  test('asks as a host, and as who is none', () => {
    expect(questions.map(({ from, stranger }) => [from, stranger])).toEqual([
      ['10.0.0.5', false],
      ['127.0.0.1', true],
    ]);
    expect(questionsOf([{ ...LAB, clients: ['0.0.0.0/0'] }]).map(({ stranger }) => stranger)).toEqual([false]);
  });

  test.each([
    [[answered, refused], null],
    [[refused, refused], /does not answer over NFS 4\.1: no such export/],
    [[answered, answered], /can be mounted by who is none/],
    [[answered, lost], /does not answer/],
    [[], /nothing came back/],
  ])('%#', (answers, fault) => {
    const found = faultOf(questions, answers);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });
});

describe('messages', () => {
  const denied =
    (...why: number[]) =>
    () =>
      decodeReply(new XdrWriter().u32(7, 1, 1, ...why).bytes(), 7);

  test('who is a client of nothing is refused by the kernel before NFS, and that is a refusal', () => {
    // AUTH_ERROR with AUTH_BADCRED, and RPC_MISMATCH, which says nothing of the caller.
    expect(denied(1, 1)).toThrow(new NfsRefusal(13));
    expect(denied(0, 2, 2)).toThrow('it refuses the call');
  });

  test('any bytes as an answer are one answer, none yet, or an error: never more', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          const next = nextRecord(Buffer.from(bytes));
          if (next) decodeReply(next.record, 7);
        } catch (error) {
          expect((error as Error).message.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('a call in fragments is read as one', () => {
    const call = encodeCall({ xid: 7, program: 1, version: 2, procedure: 3, body: Buffer.alloc(8) }).subarray(4);
    const mark = (length: number, last: boolean) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(last ? 0x8000_0000 + length : length);
      return bytes;
    };
    const parts = Buffer.concat([
      mark(12, false),
      call.subarray(0, 12),
      mark(call.length - 12, true),
      call.subarray(12),
    ]);
    expect(nextRecord(parts)!.record.equals(call)).toBe(true);
    expect(nextRecord(parts.subarray(0, 20))).toBeNull();
    expect(() => nextRecord(mark(0x7fff_ffff, true))).toThrow(/too long/);
    expect(() => new XdrReader(Buffer.from([0, 0, 0, 9])).opaque()).toThrow(/ends too early/);
  });
});
