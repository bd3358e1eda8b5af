// One terminal between its shell and the tabs that show it, one after the other.
import { expect, test } from '@jest/globals';
import { TerminalSession, type Wire } from '../../runtime/terminal-session.ts';
import type { Shell } from '../../shared/services/web-terminal/session/shell.ts';

const READY = { resume: 'r', columns: 80, rows: 24 };

function scene() {
  const seen = { typed: '', sizes: 0, ended: [] as string[], used: 0, now: 0 };
  const shell: Shell = {
    onData: () => undefined,
    onEnd: () => undefined,
    onDrain: () => undefined,
    write: (bytes) => {
      seen.typed += bytes.toString('latin1');
      return true;
    },
    resize: () => (seen.sizes += 1),
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined,
  };
  const session = new TerminalSession({
    shell,
    terms: { idle_ms: 900_000, total_ms: 3_600_000 },
    now: () => seen.now,
    used: () => (seen.used += 1),
    ended: ({ cause }) => seen.ended.push(cause),
  });
  const wire = (): Wire => {
    const made: Wire = {
      say: () => undefined,
      print: (_bytes, done) => done(),
      close: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    };
    session.attach(made, READY);
    return made;
  };
  return { session, seen, wire };
}

test('a tab that was replaced neither types, nor sizes, nor ends the shell', () => {
  const { session, seen, wire } = scene();
  const former = wire();
  const present = wire();
  const { sizes } = seen;
  session.typed(former, Buffer.from('from the former tab'));
  expect(session.told(former, { type: 'resize', columns: 20, rows: 5 })).toBe(true);
  expect(session.told(former, { type: 'end' })).toBe(true);
  expect([seen.typed, seen.sizes, seen.ended]).toEqual(['', sizes, []]);
  session.typed(present, Buffer.from('ls'));
  session.told(present, { type: 'end' });
  expect([seen.typed, seen.ended]).toEqual(['ls', ['ended']]);
});

test('what is typed uses the session of the browser, said once a minute', () => {
  const { session, seen, wire } = scene();
  const present = wire();
  for (const [now, used] of [
    [0, 1],
    [59_999, 1],
    [60_000, 2],
    [100_000, 2],
  ] as const) {
    seen.now = now;
    session.typed(present, Buffer.from('x'));
    expect([now, seen.used]).toEqual([now, used]);
  }
});

test('neither nothing nor what a terminal answers by itself counts as use: the shell gets it, and ends when nobody types', () => {
  const { session, seen, wire } = scene();
  const present = wire();
  for (let minute = 1; minute <= 15; minute++) {
    seen.now = minute * 60_000;
    session.typed(present, Buffer.from('\x1b[3;1R\x1b[?1;2c'));
    session.typed(present, Buffer.alloc(0));
  }
  expect([seen.used, seen.typed.length]).toEqual([0, 15 * 13]);
  session.look();
  expect(seen.ended).toEqual(['idle']);
});
