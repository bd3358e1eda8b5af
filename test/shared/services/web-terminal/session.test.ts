// The pure core of a terminal: flow, replay, times, tickets, messages, and what is said at each end.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { guarded } from '../../../../pages/islands/paste-guard.ts';
import { CLOSINGS, closingOf } from '../../../../shared/services/web-terminal/session/closing.ts';
import { Flow, LIMITS, Replay, Times } from '../../../../shared/services/web-terminal/session/limits.ts';
import { fromPage, promptText } from '../../../../shared/services/web-terminal/session/messages.ts';
import { isReport } from '../../../../shared/services/web-terminal/session/reports.ts';
import { fingerprintIn } from '../../../../shared/services/web-terminal/session/shell.ts';
import { Tickets } from '../../../../shared/services/web-terminal/session/tickets.ts';

describe('flow', () => {
  test('the shell waits above 256 KiB that nobody has drawn, and goes on below 64 KiB', () => {
    const flow = new Flow();
    expect([flow.sent(LIMITS.pause), flow.paused]).toEqual([false, false]);
    expect([flow.sent(1), flow.paused]).toEqual([true, true]);
    expect(flow.sent(1)).toBe(false);
    expect(flow.drawn(LIMITS.pause - LIMITS.resume + 2)).toBe(false);
    expect([flow.drawn(1), flow.unread]).toEqual([true, LIMITS.resume - 1]);
  });

  test('it waits too for a connection that takes nothing, whatever a page says that it has drawn; a new page begins anew', () => {
    const flow = new Flow();
    expect([flow.queued(LIMITS.pause), flow.queued(1), flow.unsent]).toEqual([false, true, LIMITS.pause + 1]);
    expect([flow.drawn(16 << 20), flow.paused]).toEqual([false, true]);
    expect([flow.written(LIMITS.pause), flow.paused]).toEqual([true, false]);
    flow.queued(LIMITS.pause);
    expect([flow.anew(), flow.unsent]).toEqual([true, 0]);
  });

  test('whatever comes, it never waits with less than what lets it go on, nor counts below nothing', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 1 << 20 })));
    fc.assert(
      fc.property(steps, (all) => {
        const flow = new Flow();
        for (const [sends, bytes] of all) {
          if (sends) flow.sent(bytes);
          else flow.drawn(bytes);
          expect(flow.unread).toBeGreaterThanOrEqual(0);
          if (flow.unread < LIMITS.resume) expect(flow.paused).toBe(false);
          if (flow.unread > LIMITS.pause) expect(flow.paused).toBe(true);
        }
      }),
    );
  });

  test('what a page gets again is the end of all that was printed, and no more than 256 KiB', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100_000 }), { maxLength: 12 }), (pieces) => {
        const replay = new Replay();
        for (const piece of pieces) replay.add(Buffer.from(piece));
        const whole = Buffer.concat(pieces);
        expect(replay.all().equals(whole.subarray(Math.max(0, whole.length - LIMITS.replay)))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test('a terminal is warned a minute before, once, and ends; what is typed begins the idle time anew, and not the whole', () => {
  const times = new Times({ idle_ms: 120_000, total_ms: 300_000 }, 0);
  expect(times.due(59_000)).toBeNull();
  expect(times.due(60_000)).toEqual({ warn: 'idle', seconds: 60 });
  expect(times.due(61_000)).toBeNull();
  times.typed(100_000);
  expect(times.due(121_000)).toBeNull();
  expect(times.due(170_000)).toEqual({ warn: 'idle', seconds: 50 });
  times.typed(200_000);
  expect(times.due(240_000)).toEqual({ warn: 'total', seconds: 60 });
  times.typed(290_000);
  expect(times.due(300_000)).toEqual({ end: 'total' });
  expect(new Times({ idle_ms: 60_000, total_ms: 300_000 }, 0).due(60_000)).toEqual({ end: 'idle' });
});

test('a ticket is for one session, once, for thirty seconds; a clock that is set back makes none older', () => {
  let now = 1_000_000;
  let made = 0;
  const entropy = { bytes: (count: number) => Buffer.alloc(count, ++made) };
  const tickets = new Tickets({ clock: { now: () => new Date(now) }, entropy });
  const asked = { user_id: 'u', credential_id: 's', account: 'operator', source_address: '10.0.0.9' };
  const first = tickets.give(asked);
  expect(tickets.take(first, 'another')).toBeNull();
  expect(tickets.take(first, 's')).toBeNull();
  const second = tickets.give(asked);
  expect(tickets.take(second, 's')).toMatchObject(asked);
  const replaced = tickets.give(asked);
  tickets.give(asked);
  expect(tickets.take(replaced, 's')).toBeNull();
  const late = tickets.give(asked);
  now += 30_000;
  expect(tickets.take(late, 's')).toBeNull();
  const back = tickets.give(asked);
  now -= 5_000;
  expect(tickets.take(back, 's')).toBeNull();
});

test('messages of a page are known to the letter', () => {
  const secret = 'a'.repeat(43);
  expect(fromPage(JSON.stringify({ type: 'ticket', ticket: secret, columns: 80, rows: 24 }))).not.toBeNull();
  for (const wrong of [
    'no json',
    '[]',
    '{"type":"ticket"}',
    JSON.stringify({ type: 'ticket', ticket: secret, columns: 80, rows: 24, more: 1 }),
    JSON.stringify({ type: 'resize', columns: 501, rows: 24 }),
    JSON.stringify({ type: 'resize', columns: 80, rows: 0 }),
    JSON.stringify({ type: 'drawn', bytes: -1 }),
    JSON.stringify({ type: 'answer', answers: ['x'.repeat(1025)] }),
  ])
    expect([wrong, fromPage(wrong)]).toEqual([wrong, null]);
  expect(promptText('Pass\x1b]0;x\x07word:\n')).toBe('Pass ]0;x word: ');
});

test('each end has a code and a sentence of its own; a broken connection is none', () => {
  const codes = Object.values(CLOSINGS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect([closingOf(4401), closingOf(1006)]).toEqual(['revoked', null]);
});

test('the host key is compared by what ssh-keygen prints', () => {
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA lab\n';
  expect(fingerprintIn(line)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  expect([fingerprintIn(null), fingerprintIn('ssh-rsa AAAA'), fingerprintIn('')]).toEqual([null, null, null]);
});

test('what is pasted keeps no control character but tab and line end, and no mark of direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (pasted) => {
      const { text } = guarded(pasted);
      expect(text).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u);
      expect(guarded(text).text).toBe(text);
    }),
  );
  expect(guarded('plain')).toEqual({ text: 'plain', lines: 1, removed: 0, asks: false });
  expect(guarded('a\r\nb')).toMatchObject({ text: 'a\nb', lines: 2, asks: true });
});

test('reports of a terminal are told from keys and from what is pasted', () => {
  const reports = ['', '\x1b[0n', '\x1b[24;80R', '\x1b[?1;2c', '\x1b[>0;276;0c', '\x1b[?2026;2$y', '\x1b[I', '\x1b[O'];
  reports.push(
    '\x1bP1$r0m\x1b\\',
    '\x1bP>|xterm.js(5)\x1b\\',
    '\x1b]11;rgb:12/13/11\x1b\\',
    '\x1b]10;rgb:0/0/0\x07\x1b[0n',
  );
  const keys = [
    'c',
    'ls\r',
    '\x1b',
    '\x1b[A',
    '\x1bOP',
    '\x1b[15~',
    '\x1b[1;5C',
    '\x1b[Z',
    '\x1bP',
    '\x1b]',
    '\t',
    '\x03',
  ];
  keys.push('\x1b[200~0n\x1b[201~', '\x1b[<0;10;10M', '\x1b[0nx', '\x1b[M !!');
  const told = (all: string[]) => all.map((each) => [each, isReport(Buffer.from(each, 'latin1'))]);
  expect(told(reports)).toEqual(reports.map((each) => [each, true]));
  expect(told(keys)).toEqual(keys.map((each) => [each, false]));
  const began = performance.now();
  isReport(Buffer.from(`\x1b[${'1;'.repeat(8000)}`));
  isReport(Buffer.from(`${'\x1b[0n'.repeat(4000)}x`));
  expect(performance.now() - began).toBeLessThan(200);
});
