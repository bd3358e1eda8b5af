// Another machine with two terminals: how long what is typed takes to be printed, alone and beside one that prints for ever, and
// how long 100 MB take. One line of JSON for each figure.
import type { TerminalClient } from '../setup/terminal-client.ts';
import { wayIn } from '../setup/terminal-way-in.ts';
import { until } from '../setup/until.ts';
import type { Walk } from '../setup/walking.ts';

const KEYS = 100;
const ROUNDS = 3;
const BYTES = 100_000_000;
const walk = JSON.parse(process.argv[2]!) as Walk;
const say = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function shell(): Promise<TerminalClient> {
  const { ticket, opened } = await wayIn(walk);
  if (ticket === '' || typeof opened === 'number') throw new Error(`no terminal: ${opened}`);
  opened.tell({ type: 'ticket', ticket, columns: 80, rows: 24 });
  await opened.next('prompt');
  opened.tell({ type: 'answer', answers: [walk.os_password] });
  await opened.next('ready');
  return opened;
}

const type = (terminal: TerminalClient, text: string) => terminal.ws.send(Buffer.from(text));

/** Milliseconds from a key to its echo: median and 99th percentile. */
async function echoes(terminal: TerminalClient): Promise<{ median: number; p99: number }> {
  const took: number[] = [];
  for (let at = 0; at < KEYS; at += 1) {
    // Another one each time: an echo that comes late is not taken for the next.
    const key = String.fromCharCode(97 + (at % 26));
    const began = performance.now();
    type(terminal, key);
    await new Promise<void>((done) => {
      const look = () => (terminal.text.endsWith(key) ? done() : void setImmediate(look));
      look();
    });
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  return { median: took[KEYS / 2]!, p99: took[Math.floor(KEYS * 0.99)]! };
}

const first = await shell();
const second = await shell();
type(first, 'cat >/dev/null\n');
await new Promise((done) => setTimeout(done, 500));
await echoes(first);
say({ alone: await echoes(first) });
type(second, 'yes\n');
await until(() => second.printed > 1_000_000);
say({ beside: await echoes(first) });
type(second, '\x03');
await new Promise((done) => setTimeout(done, 1_000));
for (let round = 1; round <= ROUNDS; round += 1) {
  say({ flood: 'begins' });
  // The one that measures sets the peak back meanwhile.
  await new Promise((done) => setTimeout(done, 3_000));
  const began = performance.now();
  const before = second.printed;
  const word = `end-${round}`;
  type(second, `head -c ${BYTES} /dev/zero | tr '\\0' x; echo; echo en"d-${round}"\n`);
  await until(() => second.printed - before >= BYTES && second.text.includes(`\r\n${word}\r\n`), 400_000);
  say({ flood: 'ended', seconds: (performance.now() - began) / 1000, bytes: second.printed - before });
}
process.exit(0);
