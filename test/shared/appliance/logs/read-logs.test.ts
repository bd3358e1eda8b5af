// Reading logs, newest first: filters, pages, bounds, and what journalctl is asked.
import { describe, expect, test } from '@jest/globals';
import { journalArguments, readJournal } from '../../../../shared/appliance/logs/journal.ts';
import { type LogQuery, readLogs } from '../../../../shared/appliance/logs/read-logs.ts';
import { systemClock } from '../../../../shared/ground/clock.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { LogTail } from '../../../../shared/kernel/operation/log-tail.ts';

const START = Date.parse('2026-03-14T09:00:00.000Z');

/** `count` lines of the service, a second apart; each hundredth says `rare`. */
function tailOf(count: number) {
  const log_tail = new LogTail(systemClock);
  for (let number = 1; number <= count; number++) {
    const message = number % 100 === 0 ? `rare ${number}` : `common ${number}`;
    log_tail.add(JSON.stringify({ level: 'INFO', message, request_id: `req_${number}` }), START + 1000 * number);
  }
  return { host: { kind: 'rehearsal' } as Host, log_tail };
}

const messages = async (shell: ReturnType<typeof tailOf>, query: Partial<LogQuery>) =>
  (await readLogs(shell, { limit: 3, ...query })).items.map(({ message }) => message);

describe('the lines that the service keeps itself', () => {
  test('come newest first, page after page, without a gap', async () => {
    const shell = tailOf(7);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readLogs(shell, { limit: 3, cursor });
      seen.push(...page.items.map(({ message }) => message));
      cursor = page.next_cursor ?? undefined;
      // What is logged meanwhile shifts nothing.
      shell.log_tail.add(JSON.stringify({ message: 'later' }));
    } while (cursor !== undefined);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((number) => `common ${number}`));
  });

  test('are filtered by text, request, time and level', async () => {
    const shell = tailOf(300);
    expect(await messages(shell, { text: 'RARE' })).toEqual(['rare 300', 'rare 200', 'rare 100']);
    expect(await messages(shell, { request_id: 'req_42' })).toEqual(['common 42']);
    expect(await messages(shell, { level: 'warning' })).toEqual([]);
    const [since, until] = [10, 12].map((second) => new Date(START + 1000 * second).toISOString());
    expect(await messages(shell, { since, until })).toEqual(['common 11', 'common 10']);
    expect(await messages(shell, { source: 'ntp' })).toEqual([]);
  });

  test('a text is no pattern', async () => {
    expect(await messages(tailOf(10), { text: 'c.mmon' })).toEqual([]);
    expect(await messages(tailOf(10), { text: '(a+)+$' })).toEqual([]);
  });

  test('are bounded, whatever was logged', async () => {
    const { log_tail } = tailOf(20_000);
    expect(log_tail.read(1e9).length).toBeLessThanOrEqual(4_000);
    log_tail.add('x'.repeat(1e6));
    expect(log_tail.read(1)[0]!.text.length).toBeLessThanOrEqual(4_000);
  });

  test.each(['', 'x', Buffer.from('["journal","s=1;i=2"]').toString('base64url')])(
    'another cursor is refused: %p',
    async (cursor) => {
      if (cursor === '') return;
      await expect(readLogs(tailOf(3), { limit: 3, cursor })).rejects.toMatchObject({ code: 'invalid_cursor' });
    },
  );
});

interface Asked {
  args: string[];
  output?: number | undefined;
  timeout?: number | undefined;
}

/** A host whose journal has `count` lines, numbered by their cursors. */
function journalOf(count: number, said: (number: number) => Record<string, unknown> = () => ({})) {
  const asked: Asked[] = [];
  const row = (number: number): string =>
    JSON.stringify({
      __CURSOR: `s=a;i=${number.toString(16)}`,
      __REALTIME_TIMESTAMP: String(1000 * (START + number)),
      PRIORITY: '6',
      _SYSTEMD_UNIT: 'groundcrew-dnsmasq.service',
      MESSAGE: number === 1 ? 'needle' : `line ${number}`,
      ...said(number),
    });
  const exec: Host['exec'] = async (program, args, options) => {
    expect(program).toBe('journalctl');
    asked.push({ args, output: options?.output, timeout: options?.timeout });
    const value = (name: string): string | undefined =>
      args
        .find((each) => each.startsWith(`--${name}=`))
        ?.split('=')
        .slice(1)
        .join('=');
    const after = value('after-cursor');
    const newest = after === undefined ? count : Number.parseInt(/i=([0-9a-f]+)/.exec(after)![1]!, 16) - 1;
    const rows = Array.from(
      { length: Math.min(newest, Number(value('lines'))) },
      (_, index) => `${row(newest - index)}\n`,
    );
    return { code: 0, stdout: rows.join(''), stderr: '' };
  };
  return { shell: { host: { kind: 'system', exec } as Host }, asked };
}

describe('the journal', () => {
  test('is read with fixed arguments, and nothing of a person but times and a cursor of its own form', () => {
    const args = journalArguments({ sources: ['ntp'], since: 1500, until: 2500, before: 's=a;i=1', rows: 10 });
    expect(args).toEqual([
      ...['--quiet', '--no-pager', '--output=json', '--all', '--reverse', '--lines=10'],
      '--output-fields=MESSAGE,PRIORITY,_SYSTEMD_UNIT,UNIT',
      ...['--unit=groundcrew-chronyd.service', '--until=@3', '--after-cursor=s=a;i=1'],
    ]);
    // It refuses both at once.
    const first = journalArguments({ sources: ['ntp'], since: 1500, until: null, before: null, rows: 10 });
    expect(first.slice(-2)).toEqual(['--unit=groundcrew-chronyd.service', '--since=@1']);
    const early = journalArguments({ sources: ['ntp'], since: -1e12, until: -1, before: null, rows: 10 });
    expect(early.slice(-2)).toEqual(['--since=@0', '--until=@0']);
  });

  test('a text that is seldom is looked for within bounds, and the cursor goes on from there', async () => {
    const { shell, asked } = journalOf(9_000);
    const first = await readLogs(shell, { limit: 50, text: 'needle' });
    expect([first.items, asked.length]).toEqual([[], 3]);
    expect(first.searched_to).toBe(new Date(START + 3001).toISOString());
    for (const { output, timeout } of asked) expect([output! <= 4 << 20, timeout! <= 5_000]).toEqual([true, true]);
    const second = await readLogs(shell, { limit: 50, text: 'needle', cursor: first.next_cursor! });
    expect(second.items.map(({ message }) => message)).toEqual(['needle']);
    expect(second.next_cursor).toBeNull();
  });

  test('goes no further back than it is asked to, on a later page as well', async () => {
    const { shell, asked } = journalOf(9_000);
    const since = new Date(START + 5_500).toISOString();
    const first = await readLogs(shell, { limit: 3_000, since });
    const second = await readLogs(shell, { limit: 3_000, since, cursor: first.next_cursor! });
    expect([first.items.length, second.items.length, second.next_cursor]).toEqual([3_000, 501, null]);
    expect(asked.length).toBe(3);
  });

  test('an answer has no more characters than it may', async () => {
    const { shell } = journalOf(20_000, () => ({ MESSAGE: 'x'.repeat(4_000) }));
    const { items, next_cursor } = await readLogs(shell, { limit: 10_000 }, { readings: 10 });
    expect(items.length * 4_000).toBeLessThan((8 << 20) + 4_000);
    expect(next_cursor).not.toBeNull();
  });

  test('a cut line, bytes that are no text, and lines of other programs', async () => {
    const bytes = [...Buffer.from('caf\u00e9')];
    const rows = [
      { __CURSOR: 's=a;i=3', __REALTIME_TIMESTAMP: '1000', MESSAGE: bytes, _SYSTEMD_UNIT: 'groundcrew-slapd.service' },
      { __CURSOR: 's=a;i=2', __REALTIME_TIMESTAMP: '1000', MESSAGE: 'of another', _SYSTEMD_UNIT: 'ssh.service' },
      {
        __CURSOR: 's=a;i=1',
        __REALTIME_TIMESTAMP: '1000',
        MESSAGE: 'Started',
        _SYSTEMD_UNIT: 'init.scope',
        UNIT: 'groundcrew-slapd.service',
      },
    ];
    const stdout = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"__CURSOR":"s=a;i=0","MESS`;
    const host = { exec: async () => ({ code: 0, stdout, stderr: '' }) } as unknown as Host;
    const read = await readJournal(host, { sources: ['ldap'], since: null, until: null, before: null, rows: 10 });
    expect(read.lines.map(({ text, source }) => [text, source])).toEqual([
      ['caf\u00e9', 'ldap'],
      ['Started', 'ldap'],
    ]);
    expect(read.more).toBe(true);
  });

  test('that can not be read is a problem with its reason; one that is empty is none', async () => {
    const failing = (stderr: string) => ({
      host: { kind: 'system', exec: async () => ({ code: 1, stdout: '', stderr }) } as unknown as Host,
    });
    const query = { limit: 3 };
    await expect(readLogs(failing('Permission denied\n'), query)).rejects.toMatchObject({ code: 'log_unreadable' });
    expect(await readLogs(failing('No journal files were found.\n'), query)).toEqual({
      items: [],
      next_cursor: null,
      searched_to: null,
    });
  });

  test('is read by one at a time, and whoever would wait too long is refused', async () => {
    let running = 0;
    let most = 0;
    const exec = async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 5));
      running -= 1;
      return { code: 0, stdout: '', stderr: '' };
    };
    const shell = { host: { kind: 'system', exec } as unknown as Host };
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => readLogs(shell, { limit: 1 })));
    expect(most).toBe(1);
    expect(all.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5);
  });

  test('one reader keeps nobody else out', async () => {
    const exec = async () => {
      await new Promise((done) => setTimeout(done, 5));
      return { code: 0, stdout: '', stderr: '' };
    };
    const shell = { host: { kind: 'system', exec } as unknown as Host };
    const read = (reader: string) => readLogs(shell, { limit: 1 }, { reader });
    const greedy = Promise.allSettled(Array.from({ length: 20 }, () => read('one')));
    expect((await read('another')).items).toEqual([]);
    const refused = (await greedy).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBe(17);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'too_many_attempts', members: { retry_after: 5 } });
    // Afterwards it is free again.
    expect((await read('one')).items).toEqual([]);
  });
});
